import { Temporal } from 'temporal-polyfill'
import type { HistoricReading, ReadingSummary } from '../../store/store.ts'
import type { LocalClock } from '../local-clock.ts'
import type { Bucket } from './history-schema.ts'

/** The widths of the intervals of history. */
export const INTERVALS = ['15m', '1h', '1d'] as const
export type Interval = (typeof INTERVALS)[number]

export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS
const WIDTH_MS = { '15m': HOUR_MS / 4, '1h': HOUR_MS } as const

/**
 * The bounds of the buckets from the one that holds `from` to the one before `to`, the end of the last included: instants
 * in milliseconds. Quarters and hours are those of UTC; days are those of the zone, 23 or 25 hours long where its
 * clocks change.
 */
export function bucketBounds(interval: Interval, from: number, to: number, clock: LocalClock): number[] {
  if (interval === '1d') return days(from, to, clock.timeZone)
  const width = WIDTH_MS[interval]
  const bounds = [Math.floor(from / width) * width]
  while ((bounds.at(-1) ?? to) < to) bounds.push((bounds.at(-1) ?? 0) + width)
  return bounds
}

function days(from: number, to: number, timeZone: string): number[] {
  let day = Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO(timeZone).toPlainDate()
  const bounds = [startOfDay(day, timeZone)]
  while ((bounds.at(-1) ?? to) < to) {
    day = day.add({ days: 1 })
    bounds.push(startOfDay(day, timeZone))
  }
  return bounds
}

/** The instant at which a day begins by the zone's clocks. */
export function startOfDay(day: Temporal.PlainDate, timeZone: string): number {
  return day.toZonedDateTime(timeZone).epochMilliseconds
}

/** What is known of the readings in buckets. */
export interface Assessed {
  /** The readings that cannot be trusted. */
  readonly untrusted: readonly Pick<HistoricReading, 'code' | 'at' | 'spaces'>[]
  /** Whether readings from a time on are assessed. */
  readonly isAssessed: (from: number) => boolean
}

/**
 * Merges summaries, each of which lies in one bucket, into buckets in the order of `codes` and time. Buckets
 * without readings are included; none is interpolated.
 */
export function fillBuckets(
  summaries: readonly ReadingSummary[],
  bounds: readonly number[],
  codes: readonly string[],
  { untrusted, isAssessed }: Assessed,
): Bucket[] {
  const sums = sumsOf(summaries, bounds)
  const bad = untrusted.map(({ code, at, spaces }) => ({ code, from: at, ...sumOf(spaces) }))
  const badSums = sumsOf(bad.sort((one, other) => one.from - other.from), bounds)
  return codes.flatMap(code => {
    const key = code.toUpperCase()
    return bounds.slice(0, -1).map((from, place) => ({
      ...{ code, ...bucket(from, sums.get(key)?.get(place)) },
      ...good(isAssessed(from), sums.get(key)?.get(place), badSums.get(key)?.get(place)),
    }))
  })
}

type Sum = Pick<ReadingSummary, 'min' | 'max' | 'sum' | 'count' | 'last'>

const sumOf = (spaces: number): Sum => ({ min: spaces, max: spaces, sum: spaces, count: 1, last: spaces })

/** By code in upper case and the place of the bucket; the summaries are in the order of time. */
function sumsOf(
  summaries: readonly (Sum & Pick<ReadingSummary, 'code' | 'from'>)[],
  bounds: readonly number[],
): Map<string, Map<number, Sum>> {
  const byCode = new Map<string, Map<number, Sum>>()
  let place = 0
  for (const summary of summaries) {
    while (summary.from >= (bounds[place + 1] ?? Number.POSITIVE_INFINITY)) place++
    const key = summary.code.toUpperCase()
    const sums = byCode.get(key) ?? new Map<number, Sum>()
    byCode.set(key, sums.set(place, added(sums.get(place), summary)))
  }
  return byCode
}

function added(before: Sum | undefined, next: ReadingSummary): Sum {
  if (before === undefined) return next
  return {
    min: Math.min(before.min, next.min),
    max: Math.max(before.max, next.max),
    sum: before.sum + next.sum,
    count: before.count + next.count,
    last: next.last,
  }
}

function bucket(from: number, sum: Sum | undefined): Omit<Bucket, 'code' | 'goodCount' | 'goodMean'> {
  const time = new Date(from).toISOString()
  if (sum === undefined) return { from: time, min: null, max: null, mean: null, last: null, count: 0 }
  const { min, max, last, count } = sum
  return { from: time, min, max, mean: mean(sum), last, count }
}

/** The number and the mean of the readings that can be trusted. */
function good(
  isAssessed: boolean,
  all: Sum | undefined,
  bad: Sum | undefined,
): Pick<Bucket, 'goodCount' | 'goodMean'> {
  if (all === undefined) return { goodCount: 0, goodMean: null }
  if (!isAssessed) return { goodCount: null, goodMean: null }
  const count = all.count - (bad?.count ?? 0)
  return { goodCount: count, goodMean: count === 0 ? null : mean({ sum: all.sum - (bad?.sum ?? 0), count }) }
}

const mean = ({ sum, count }: Pick<Sum, 'sum' | 'count'>): number => Math.round((sum / count) * 100) / 100
