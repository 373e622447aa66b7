import { Temporal } from 'temporal-polyfill'
import type { LocalClock } from '../local-clock.ts'

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
