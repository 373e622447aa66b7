import { Temporal } from 'temporal-polyfill'

const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000
const QUARTER_MS = 900_000

/** The parts of a wall time. */
export interface WallParts {
  /** Days since 1 January 1970 by the clock. */
  readonly day: number
  /** 0 is Sunday. */
  readonly weekday: number
  /** Quarters of an hour since midnight by the clock, 0 to 95. */
  readonly quarter: number
}

/** The clock of one time zone. Instants are milliseconds since 1970 UTC. */
export type LocalClock = ReturnType<typeof localClock>

/** Creates the clock of a zone. Offsets are looked up once for each hour: no zone's changes within one. */
export function localClock(timeZone: string) {
  const offsets = new Map<number, number>()
  const offsetIn = (hour: number): number => {
    const known = offsets.get(hour)
    if (known !== undefined) return known
    const at = Temporal.Instant.fromEpochMilliseconds(hour * HOUR_MS).toZonedDateTimeISO(timeZone)
    const offset = at.offsetNanoseconds / 1e6
    offsets.set(hour, offset)
    return offset
  }
  return {
    timeZone,
    /** The wall time at an instant, as the instant at which UTC clocks show the same. */
    wallTime: (instant: number): number => instant + offsetIn(Math.floor(instant / HOUR_MS)),
  }
}

/** The weekday of a day since 1 January 1970, which was a Thursday; 0 is Sunday. */
export const weekdayOf = (day: number): number => (((day + 4) % 7) + 7) % 7

/** Splits a wall time into its parts. */
export function wallParts(wallTime: number): WallParts {
  const day = Math.floor(wallTime / DAY_MS)
  return { day, weekday: weekdayOf(day), quarter: Math.floor((wallTime - day * DAY_MS) / QUARTER_MS) }
}
