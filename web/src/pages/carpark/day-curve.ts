import type { GetJson } from '../../../../src/interfaces/web/explorer.ts'
import type { Interval, TypicalWeek } from '../../parking/records.ts'
import { attempt, orNull } from '../../parts/attempt.ts'
import { clockTime, isoDate, weekdayOf } from '../../words/island-time.ts'

/** A quarter of an hour of a typical day. Half of the days have more than `middle`; eight in ten lie from `low` to `high`. */
export interface Typical {
  readonly low: number
  readonly middle: number
  readonly high: number
}

/** A day by the island's clock, in the 96 quarters from midnight. */
export interface DayCurve {
  /** A time on that day. */
  readonly at: string
  /** The mean of each quarter; null without trusted readings. */
  readonly counted: readonly (number | null)[]
  /** Null if too few such days are known. */
  readonly typical: readonly (Typical | null)[]
  /** The service's reason for the missing typical day. */
  readonly noTypical: string | null
}

/** The quarters of an hour in a day. */
export const QUARTERS = 96

/** Minutes since midnight by the island's clock. */
export function minuteOf(time: string): number {
  const [hours = 0, minutes = 0] = clockTime(time).split(':').map(Number)
  return hours * 60 + minutes
}

/** Gets the trusted counts of the day so far, and a typical day with the same weekday. */
export async function loadDayCurve(get: GetJson, code: string, at: string): Promise<DayCurve> {
  const path = `/v1/carparks/${encodeURIComponent(code)}`
  const date = isoDate(at)
  const [history, week] = await Promise.all([
    orNull(get<{ results: readonly Interval[] }>(`${path}/history?interval=15m&from=${date}&to=${date}`)),
    attempt(get<TypicalWeek>(`${path}/typical`)),
  ])
  const counted: (number | null)[] = new Array(QUARTERS).fill(null)
  // When the clock goes back, an hour comes twice. The later one stays.
  for (const { from, goodMean } of history?.results ?? [])
    if (goodMean !== null) counted[Math.floor(minuteOf(from) / 15)] = Math.round(goodMean)
  if ('refusal' in week) return { at, counted, typical: [], noTypical: week.refusal }
  const day = week.results.find(({ day }) => day === weekdayOf(at).toLowerCase())
  const typical = (day?.quarters ?? []).map(({ p10, p50, p90 }) =>
    p10 === null || p50 === null || p90 === null ? null : { low: p10, middle: p50, high: p90 },
  )
  return { at, counted, typical, noTypical: week.detail }
}

/** The typical quarter at the time of a curve. */
export const typicalNow = ({ at, typical }: DayCurve): Typical | null =>
  typical[Math.floor(minuteOf(at) / 15)] ?? null
