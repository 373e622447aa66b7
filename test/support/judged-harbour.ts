import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { HistoricReading, Observation } from '../../src/store/store.ts'
import { daysBefore, inJersey, nextTimes, told } from './counted-past.ts'
import { ISLAND } from './island.ts'
import { type BuildOptions, build } from './service.ts'

/** A Monday morning, the day after the clocks went forward, when the harbour car park fills. */
export const MONDAY_10H = inJersey('2025-03-31T10:00')

/** Four weeks of counts before it. */
export const FOUR_WEEKS: readonly HistoricReading[] = daysBefore('2025-03-31T10:00', 28)

/** What the feed tells on Monday morning. */
export const LAST = (FOUR_WEEKS.at(-1)?.spaces ?? 0) + 1

/** A service that has counted the harbour car park for weeks, on Monday morning, with a clock that the test moves. */
export async function judgedHarbour(
  t: TestContext,
  options: Omit<BuildOptions, 'now'> & { at?: number } = {},
) {
  const { at = MONDAY_10H, ...others } = options
  let now = at
  const observation = told(at, { spaces: LAST })
  const service = await build(t, ISLAND, { history: FOUR_WEEKS, observation, now: () => now, ...others })
  const get = async (url: string) => (await service.app.inject(url)).json()
  const tell = async (observation: Observation) => {
    now = Date.parse(observation.timestamp)
    await service.observe(observation)
  }
  return {
    ...service,
    get,
    /** What time it is. */
    be(at: number) {
      now = at
    },
    /** Has the feed tell something new, at its own time. */
    tell,
    /** Has the feed tell one count after another of the harbour alone, every five minutes. */
    async tellCounts(spaces: readonly number[]) {
      const times = nextTimes(now, spaces.length)
      for (const [place, at] of times.entries()) await tell(told(at, { spaces: spaces[place] ?? 0 }))
    },
    /** How far a count can be trusted, which all answers tell alike. */
    async quality(code = 'HARBST') {
      const { name, code: _, spaces, status, open, trend, ...alone } = await get(`/v1/carparks/${code}/live`)
      const { results, missing } = await get('/v1/carparks/live-spaces?include=quality')
      const listed = [...results, ...missing].find((entry: { code: string }) => entry.code === code)
      assert.equal(listed.trend ?? null, trend)
      for (const [field, value] of Object.entries(alone)) assert.equal(listed[field], value, field)
      return alone
    },
  }
}
