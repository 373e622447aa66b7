import { memoise } from './memoise.ts'
import { DAY_MS } from './time-units.ts'

/** Days since 1970-01-01 of a calendar date, `YYYY-MM-DD`. Throws RangeError for a date that does not exist. */
export function dayNumber(date: string): number {
  const days = Date.parse(`${date}T00:00:00.000Z`) / DAY_MS
  if (!Number.isInteger(days) || dayTimestamp(days).slice(0, 10) !== date)
    throw new RangeError(`"${date.slice(0, 40)}" is not a date as YYYY-MM-DD`)
  return days
}

/** Dates repeat often and are slow to format and parse: a century of them is cached. */
export const CACHED_DAYS = 36_525

/** Midnight UTC of a day, as in records. */
export const dayTimestamp: (days: number) => string = memoise(
  (days: number) => new Date(days * DAY_MS).toISOString(),
  CACHED_DAYS,
)

/** The weekday of a day number, 0 for Sunday. Day 0, 1 January 1970, was a Thursday. */
export const weekdayOf = (day: number): number => (((day + 4) % 7) + 7) % 7
