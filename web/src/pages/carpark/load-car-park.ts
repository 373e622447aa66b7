import type { GetJson } from '../../../../src/interfaces/web/explorer.ts'
import { briefly, expectedIn, loadCarParks } from '../../parking/load-counts.ts'
import type { CarPark, Forecast, LiveCarPark } from '../../parking/records.ts'
import { countOf, isSameCode, type Row } from '../../parking/row.ts'
import { attempt, orNull } from '../../parts/attempt.ts'
import { type DayCurve, loadDayCurve } from './day-curve.ts'

/** A car park with a live counter. */
export interface LivePart {
  readonly row: Row
  /** The time of its last reading; null before any. */
  readonly at: string | null
  readonly forecast: Forecast | null
  readonly day: DayCurve | null
}

/** Everything the service knows of one car park. */
export interface Known {
  readonly name: string
  readonly carPark: CarPark | null
  /** Null without a live counter. */
  readonly live: LivePart | null
}

/** Gets a car park by its id or its live tracking code, or null. */
export async function loadCarPark(get: GetJson, idOrCode: string): Promise<Known | null> {
  const [answer, carParks] = await Promise.all([
    attempt(
      get<LiveCarPark & { reason: string | null }>(`/v1/carparks/${encodeURIComponent(idOrCode)}/live`),
    ),
    loadCarParks(get),
  ])
  const carPark =
    carParks?.find(
      ({ id, liveTrackingCode }) =>
        isSameCode(id, idOrCode) || (liveTrackingCode !== null && isSameCode(liveTrackingCode, idOrCode)),
    ) ?? null
  if ('refusal' in answer) {
    if (carPark !== null) return { name: carPark.name, carPark, live: null }
    if (carParks === null) throw answer.cause
    return null
  }
  // A test entry of the feed.
  if (carParks !== null && carPark === null) return null
  return { name: answer.name, carPark, live: await loadLive(get, answer, carPark) }
}

async function loadLive(get: GetJson, live: LiveCarPark, carPark: CarPark | null): Promise<LivePart> {
  const { code, name, observedAt: at } = live
  const isGood = live.quality === 'good'
  const [forecast, day] = await Promise.all([
    isGood ? orNull(get<Forecast>(`/v1/carparks/${encodeURIComponent(code)}/forecast`)) : null,
    at === null ? null : loadDayCurve(get, code, at),
  ])
  const row = {
    ...{ code, name, count: countOf(live), expected: expectedIn(forecast, 60) },
    carPark: carPark && briefly(carPark),
  }
  return { row, at, forecast, day }
}
