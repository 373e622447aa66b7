import type { GetJson } from '../../../../src/interfaces/web/explorer.ts'
import { expectedIn } from '../../parking/load-counts.ts'
import type { CarParkInBrief, Forecast, LiveCarPark } from '../../parking/records.ts'
import { countOf, type Row } from '../../parking/row.ts'
import { attempt, orNull } from '../../parts/attempt.ts'
import { loadDayCurve } from './day-curve.ts'

/** The count of a car park with a live counter. */
export type LivePart = NonNullable<Awaited<ReturnType<typeof loadLive>>>

/** Gets the count of a car park with its day and forecast, or null without a counter. */
export async function loadLive(get: GetJson, code: string, carPark: CarParkInBrief | null) {
  const path = `/v1/carparks/${encodeURIComponent(code)}`
  const live = await attempt(get<LiveCarPark>(`${path}/live`))
  if ('refusal' in live) return null
  const { name, observedAt: at } = live
  const [forecast, day] = await Promise.all([
    live.quality === 'good' ? orNull(get<Forecast>(`${path}/forecast`)) : null,
    at === null ? null : loadDayCurve(get, code, at),
  ])
  const row: Row = { code, name, count: countOf(live), expected: expectedIn(forecast?.results, 60), carPark }
  return { row, at, forecast, day }
}
