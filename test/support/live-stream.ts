import type { TestContext } from 'node:test'
import { knownAt, toldEvents } from './event-streams.ts'
import { ISLAND, OBSERVATION } from './island.ts'
import { listen } from './raw-http.ts'
import { type BuildOptions, build } from './service.ts'
import { until } from './until.ts'

/** The address of the stream of live spaces. */
export const STREAM = '/v1/carparks/live-spaces/stream'

/** What is known at first. */
export const FIRST = knownAt(0, { A: 1, B: 2 })

/** A service that listens, tells what it is told, and trusts X-Forwarded-For. */
export async function followLive(t: TestContext, options: BuildOptions = {}) {
  const live = toldEvents(FIRST)
  const environment = { TRUST_PROXY: '127.0.0.1' }
  const service = await build(t, ISLAND, { live, observation: OBSERVATION, environment, ...options })
  const port = await listen(service.app)
  const origin = `http://127.0.0.1:${port}`
  return {
    ...service,
    live,
    port,
    origin,
    url: origin + STREAM,
    figures: () => service.app.eventClients.figures(),
  }
}

/** Tells one change after another, each in an event of so many bytes and more, until a condition holds; gives how many. */
export async function tellUntil(
  { tell }: ReturnType<typeof toldEvents>,
  bytes: number,
  condition: () => boolean,
): Promise<number> {
  let told = 0
  await until(() => {
    if (condition()) return true
    const { timestamp, results } = knownAt(++told, { A: told + 1, B: 2 })
    const [a, ...others] = results
    tell({ timestamp, results: a === undefined ? [] : [{ ...a, status: 'x'.repeat(bytes) }, ...others] })
    return false
  }, 'what many long events come to')
  return told
}

/** The problem that was answered. */
export const problemOf = async (answer: Response) =>
  (await answer.json()) as { readonly code: string; readonly detail: string }
