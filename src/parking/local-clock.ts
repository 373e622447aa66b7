import { Temporal } from 'temporal-polyfill'
import { weekdayOf } from '../values/day-number.ts'
import { DAY_MS, HOUR_MS } from '../values/time-units.ts'

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

/**
 * Creates the clock of a zone. Offsets are looked up at full hours and remembered. Only between two that differ are the
 * quarters looked up: the clocks of Lord Howe Island change at half past by UTC.
 */
export function localClock(timeZone: string) {
  const offsets = new Map<number, number>()
  const offsetAt = (time: number): number => {
    const known = offsets.get(time)
    if (known !== undefined) return known
    const offset =
      Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO(timeZone).offsetNanoseconds / 1e6
    offsets.set(time, offset)
    return offset
  }
  const offsetIn = (instant: number): number => {
    const hour = Math.floor(instant / HOUR_MS) * HOUR_MS
    const offset = offsetAt(hour)
    if (offset === offsetAt(hour + HOUR_MS)) return offset
    return offsetAt(Math.floor(instant / QUARTER_MS) * QUARTER_MS)
  }
  return {
    timeZone,
    /** The wall time at an instant, as the instant at which UTC clocks show the same. */
    wallTime: (instant: number): number => instant + offsetIn(instant),
  }
}

/** The instants at which a clock shows a wall time: none in the gap of spring, two in the DST overlap of autumn. */
export function instantsOf(wallTime: number, clock: LocalClock): number[] {
  // A day before a change of the clock its offset is the old one, and a day after the new one.
  const near = [wallTime - DAY_MS, wallTime + DAY_MS]
  const instants = near.map(instant => wallTime - (clock.wallTime(instant) - instant))
  return [...new Set(instants)].sort((a, b) => a - b).filter(instant => clock.wallTime(instant) === wallTime)
}

/** Splits a wall time into its parts. */
export function wallParts(wallTime: number): WallParts {
  const day = Math.floor(wallTime / DAY_MS)
  return { day, weekday: weekdayOf(day), quarter: Math.floor((wallTime - day * DAY_MS) / QUARTER_MS) }
}
