import type { GetJson } from '../../../../src/interfaces/web/explorer.ts'
import { attempt, orNull } from '../../parking/attempt.ts'
import type { Interval, TypicalWeek } from '../../parking/records.ts'
import { clockTime, isoDate, weekdayOf } from '../../words/island-time.ts'

/** A quarter of an hour of a typical day: half of the days have more than `middle`, eight in ten lie from `low` to `high`. */
export interface Typical {
  readonly low: number
  readonly middle: number
  readonly high: number
}

/** A day by the island's clock, in the 96 quarters from midnight. */
export interface DayCurve {
  /** A time of the day that it is. */
  readonly at: string
  /** The mean of each quarter; null without readings that can be trusted. */
  readonly counted: readonly (number | null)[]
  /** Null where too few such days are known. */
  readonly typical: readonly (Typical | null)[]
  /** Why there is no typical day, in the service's words. */
  readonly noTypical: string | null
}

const QUARTERS = 96

/** Minutes since midnight by the island's clock. */
export function minuteOf(time: string): number {
  const [hours = 0, minutes = 0] = clockTime(time).split(':').map(Number)
  return hours * 60 + minutes
}

/** Gets the day of a time so far without the counts that cannot be trusted, and what is typical of its weekday. */
export async function loadDayCurve(get: GetJson, code: string, at: string): Promise<DayCurve> {
  const path = `/v1/carparks/${encodeURIComponent(code)}`
  const date = isoDate(at)
  const [history, week] = await Promise.all([
    orNull(get<{ results: readonly Interval[] }>(`${path}/history?interval=15m&from=${date}&to=${date}`)),
    attempt(get<TypicalWeek>(`${path}/typical`)),
  ])
  const counted: (number | null)[] = new Array(QUARTERS).fill(null)
  // Where the clock goes back an hour has two passes, of which the later stays.
  for (const { from, goodMean } of history?.results ?? [])
    if (goodMean !== null) counted[Math.floor(minuteOf(from) / 15)] = Math.round(goodMean)
  if ('refusal' in week) return { at, counted, typical: [], noTypical: week.refusal }
  const day = week.results.find(({ day }) => day === weekdayOf(at).toLowerCase())
  const typical = (day?.quarters ?? []).map(({ p10, p50, p90 }) =>
    p10 === null || p50 === null || p90 === null ? null : { low: p10, middle: p50, high: p90 },
  )
  return { at, counted, typical, noTypical: week.detail }
}

/** What is typical at the time of a curve. */
export const typicalNow = ({ at, typical }: DayCurve): Typical | null =>
  typical[Math.floor(minuteOf(at) / 15)] ?? null
