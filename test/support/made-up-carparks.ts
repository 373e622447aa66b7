import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { entry, payload, startUpstream } from './misbehaving-upstream.ts'
import type { Answer } from './serving.ts'

const CODES = ['HARBST', 'BEACH', 'PIER']

/** What a car park counts at a time, so that every count tells its time. */
const countAt = (place: number, time: number) => (Math.floor(time / 1000) + 100 * place) % 1000

/** Starts a feed that tells the time of the last whole second, and other counts each second; gives its address. */
export async function startMadeUpCarparks(t: TestContext): Promise<string> {
  const upstream = await startUpstream((_, response) => {
    const time = Math.floor(Date.now() / 1000) * 1000
    const entries = CODES.map((code, place) => entry(code, countAt(place, time)))
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(payload(entries, new Date(time).toISOString()))
  })
  t.after(() => upstream.close())
  return upstream.url
}

/** The time of a list of live spaces of the made-up feed, by Date.now(). Fails unless all of it is of that time. */
export function timeIn({ text }: Pick<Answer, 'text'>): number {
  const { results, timestamp } = JSON.parse(text)
  const time = Date.parse(timestamp)
  assert.deepEqual(
    results.map(({ code, spaces }: { code: string; spaces: number }) => [code, spaces]),
    CODES.map((code, place) => [code, countAt(place, time)]),
    `the counts are not those of ${timestamp}`,
  )
  return time
}
