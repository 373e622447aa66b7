import { Temporal } from 'temporal-polyfill'
import type { ReadingSummary } from '../../store/store.ts'
import { HOUR_MS } from '../../values/time-units.ts'
import type { LocalClock } from '../local-clock.ts'
import type { Bucket } from './history-schema.ts'

/** The widths of the intervals of history. */
export const INTERVALS = ['15m', '1h', '1d'] as const
export type Interval = (typeof INTERVALS)[number]

const WIDTH_MS = { '15m': HOUR_MS / 4, '1h': HOUR_MS } as const

/**
 * The bounds of the buckets from the one that holds `from` to the one before `to`, the end of the last included: instants
 * in milliseconds. Quarters and hours are those of UTC; days are those of the zone, 23 or 25 hours long where its
 * clocks change.
 */
export function bucketBounds(interval: Interval, from: number, to: number, clock: LocalClock): number[] {
  const { timeZone } = clock
  const dayOf = (instant: number) =>
    Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(timeZone).toPlainDate()
  const start = (instant: number) =>
    interval === '1d'
      ? startOfDay(dayOf(instant), timeZone)
      : Math.floor(instant / WIDTH_MS[interval]) * WIDTH_MS[interval]
  const next = (bound: number) =>
    interval === '1d' ? startOfDay(dayOf(bound).add({ days: 1 }), timeZone) : bound + WIDTH_MS[interval]
  let bound = start(from)
  const bounds = [bound]
  while (bound < to) {
    bound = next(bound)
    bounds.push(bound)
  }
  return bounds
}

/** The instant at which a day begins by the zone's clocks. */
export function startOfDay(day: Temporal.PlainDate, timeZone: string): number {
  return day.toZonedDateTime(timeZone).epochMilliseconds
}

/**
 * Merges summaries into buckets in the order of `codes` and time. A summary lies in a single bucket. Buckets
 * without readings are included, without interpolation.
 */
export function fillBuckets(
  summaries: readonly ReadingSummary[],
  bounds: readonly number[],
  codes: readonly string[],
): SummedBucket[] {
  const sums = new Map<string, ReadingSummary>()
  const keyOf = (code: string, place: number) => `${place} ${code.toUpperCase()}`
  let place = 0
  for (const summary of summaries) {
    while (summary.from >= (bounds[place + 1] ?? Number.POSITIVE_INFINITY)) place++
    const key = keyOf(summary.code, place)
    sums.set(key, added(sums.get(key), summary))
  }
  return codes.flatMap(code =>
    bounds.slice(0, -1).map((from, index) => bucket(code, from, sums.get(keyOf(code, index)))),
  )
}

/** A bucket with the sum of its readings. */
interface SummedBucket extends Omit<Bucket, 'goodCount' | 'goodMean'> {
  readonly sum: number
}

/** Two summaries of one bucket as one. */
function added(before: ReadingSummary | undefined, next: ReadingSummary): ReadingSummary {
  if (before === undefined) return next
  return {
    ...before,
    min: Math.min(before.min, next.min),
    max: Math.max(before.max, next.max),
    sum: before.sum + next.sum,
    count: before.count + next.count,
    last: next.last,
  }
}

const NONE = { min: null, max: null, last: null, count: 0, sum: 0 }

function bucket(code: string, from: number, all: ReadingSummary | undefined): SummedBucket {
  const { min, max, last, count, sum } = all ?? NONE
  return { code, from: new Date(from).toISOString(), min, max, mean: meanOf(sum, count), last, count, sum }
}

/** The mean to two decimals; null without readings. */
export const meanOf = (sum: number, count: number): number | null =>
  count === 0 ? null : Math.round((sum / count) * 100) / 100
