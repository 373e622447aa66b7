import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { type Behaviour, entry, payload, startUpstream } from './misbehaving-upstream.ts'
import type { Answer } from './serving.ts'

const CODES = ['HARBST', 'BEACH', 'PIER']

/** What a car park of the made-up feed counts at a time, so that every count tells its time. */
export const countAt = (code: string, time: number): number =>
  (Math.floor(time / 1000) + 100 * CODES.indexOf(code)) % 1000

/** A feed that tells the time of the last whole second, and other counts each second. */
export interface MadeUpCarparks {
  readonly url: string
  /** Has it answer otherwise until {@link behave}. */
  misbehave(behaviour: Behaviour): void
  behave(): void
}

const tellsTheTime: Behaviour = (_, response) => {
  const time = Math.floor(Date.now() / 1000) * 1000
  const entries = CODES.map(code => entry(code, countAt(code, time)))
  response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(payload(entries, new Date(time).toISOString()))
}

/** Starts the feed; it ends with the test. */
export async function startMadeUpCarparks(t: TestContext): Promise<MadeUpCarparks> {
  const upstream = await startUpstream(tellsTheTime)
  t.after(() => upstream.close())
  return {
    url: upstream.url,
    misbehave(behaviour) {
      upstream.behaviour = behaviour
    },
    behave() {
      upstream.behaviour = tellsTheTime
    },
  }
}

/** The time of a list of live spaces of the made-up feed, by Date.now(). Fails unless all of it is of that time. */
export function timeIn({ text }: Pick<Answer, 'text'>): number {
  const { results, timestamp } = JSON.parse(text)
  const time = Date.parse(timestamp)
  assert.deepEqual(
    results.map(({ code, spaces }: { code: string; spaces: number }) => [code, spaces]),
    CODES.map(code => [code, countAt(code, time)]),
    `the counts are not those of ${timestamp}`,
  )
  return time
}
