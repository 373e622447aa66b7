import { Temporal } from 'temporal-polyfill'
import type { Config } from '../config.ts'
import { bankHoliday } from '../island/bank-holidays.ts'
import { ISLAND } from '../island/island.ts'
import { memoise } from '../values/memoise.ts'
import { DAY_MS, HOUR_MS } from '../values/time-units.ts'

const QUARTER_MS = 900_000
/** Two years. */
const REMEMBERED_HOURS = 17_520

/** The time zone of times in the feed: the island's, unless the configuration names another. */
export const feedTimeZone = ({ LIVE_FEED_TIME_ZONE }: Pick<Config, 'LIVE_FEED_TIME_ZONE'>): string =>
  LIVE_FEED_TIME_ZONE ?? ISLAND.timeZone

/** The clock of one time zone. Instants are milliseconds since 1970 UTC. */
export type LocalClock = ReturnType<typeof localClock>

/**
 * Creates the clock of a zone. Offsets are looked up at full hours and remembered. If two hours in a row differ, the quarters
 * between them are looked up: the clocks of Lord Howe Island change at half past by UTC.
 */
export function localClock(timeZone: string) {
  const offsetAt = memoise(
    (time: number) =>
      Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO(timeZone).offsetNanoseconds / 1e6,
    REMEMBERED_HOURS,
  )
  const offsetIn = (instant: number): number => {
    const hour = Math.floor(instant / HOUR_MS) * HOUR_MS
    const offset = offsetAt(hour)
    if (offset === offsetAt(hour + HOUR_MS)) return offset
    return offsetAt(Math.floor(instant / QUARTER_MS) * QUARTER_MS)
  }
  return {
    timeZone,
    /** The wall time at an instant, as the instant at which a UTC clock shows the same time. */
    wallTime: (instant: number): number => instant + offsetIn(instant),
    /** Whether a day (days since 1970 by the clock) is a public holiday in the zone; only the island's are known. */
    isBankHoliday: (day: number): boolean => timeZone === ISLAND.timeZone && bankHoliday(day) !== undefined,
  }
}

/** The instants at which a clock shows a wall time: none in the gap of spring, two in the DST overlap of autumn. */
export function instantsOf(wallTime: number, clock: LocalClock): number[] {
  // A day before a change of the clock, the old offset applies; a day after it, the new offset.
  const near = [wallTime - DAY_MS, wallTime + DAY_MS]
  const instants = near.map(instant => wallTime - (clock.wallTime(instant) - instant))
  return [...new Set(instants)].sort((a, b) => a - b).filter(instant => clock.wallTime(instant) === wallTime)
}

/** A time as written in a text. */
export interface WrittenTime {
  /** In the form of {@link LocalClock.wallTime}; with an offset, the time of a clock with this offset. */
  readonly wallTime: number
  /** All instants when the clock shows this time; with an offset, the single instant that the offset gives. */
  readonly instants: readonly number[]
}

const WRITTEN =
  /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?) ?(Z|[+-](?:[01]\d|2[0-3]):?[0-5]\d)?$/i

/** Reads an ISO 8601 timestamp, local time without an offset; undefined for other text, and for dates such as 30 February. */
export function readTime(text: string, clock: LocalClock): WrittenTime | undefined {
  const [, date = '', time, offset] = WRITTEN.exec(text) ?? []
  const wallTime = Date.parse(`${date}T${time}Z`)
  // `Date` turns 30 February into 2 March.
  if (Number.isNaN(wallTime) || !new Date(wallTime).toISOString().startsWith(date)) return undefined
  if (offset === undefined) return { wallTime, instants: instantsOf(wallTime, clock) }
  const zone = offset.length > 1 ? `${offset.slice(0, 3)}:${offset.slice(-2)}` : 'Z'
  return { wallTime, instants: [Date.parse(`${date}T${time}${zone}`)] }
}
