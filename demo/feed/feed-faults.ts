import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/values/time-units.ts'

const WEEK_MS = 7 * DAY_MS

/** Codes of the car parks with counters that get stuck, one per week in turn. */
const FREEZING = ['GRIFFINST', 'MIRAGEQUAY', 'FABLELANE', 'WYVERNRD']
/** Monday 5 January 1970: weeks are counted from here. */
const FIRST_MONDAY = 4 * DAY_MS
/** The counter is stuck from Monday 09:00 to Sunday 15:00. */
const FROZEN = { from: 9 * HOUR_MS, until: 6 * DAY_MS + 15 * HOUR_MS }
/** The counter of one car park never moves, so that README.md can show it on any day. */
const STUCK = { code: 'CHIMERAST', spaces: 34 }
/** The count of one car park is 0 for six minutes every three hours. */
const WILD = { code: 'PHOENIXSQ', everyHours: 3, fromMinute: 15, untilMinute: 21 }
/** One car park is not in the list for ten minutes every two hours. */
const MISSING = { code: 'UNICORNPL', everyHours: 2, fromMinute: 40, untilMinute: 50 }
/** The whole feed, including its own time, stops at night, and then fails for a while. */
const STALLED = { from: 3 * HOUR_MS, until: 3 * HOUR_MS + 40 * MINUTE_MS }
const SILENT = { from: STALLED.until, until: STALLED.until + 10 * MINUTE_MS }

/** An entry that is no car park, as the real feed has had. */
export const TEST_ENTRY = { code: 'TEST', name: 'TEST', spaces: 100 } as const

/*
 * The faults of the simulated feed. The real feed has had all of them. They depend only on the wall time (milliseconds
 * since 1970 by the island's clock), so that some faults are visible at any time.
 */

/** The wall time that the feed shows, which stops for 40 minutes each night. */
export function toldTime(wall: number): number {
  const inDay = timeOfDay(wall)
  return isWithin(inDay, { from: STALLED.from, until: SILENT.until }) ? wall - inDay + STALLED.from : wall
}

/** Whether the feed fails. */
export const isSilent = (wall: number): boolean => isWithin(timeOfDay(wall), SILENT)

/** Whether the feed omits the car park. */
export const isMissing = (code: string, wall: number): boolean => code === MISSING.code && isAt(MISSING, wall)

/** Whether the car park's count is 0 though it is not full. */
export const isWild = (code: string, wall: number): boolean => code === WILD.code && isAt(WILD, wall)

/** The count of a counter that never moves; undefined for other counters. */
export const stuckCount = (code: string): number | undefined =>
  code === STUCK.code ? STUCK.spaces : undefined

/** The wall time of the count that the car park's counter shows. A stuck counter shows the count of an earlier time. */
export function countedTime(code: string, wall: number): number {
  const week = Math.floor((wall - FIRST_MONDAY) / WEEK_MS)
  if (FREEZING[week % FREEZING.length] !== code) return wall
  const monday = FIRST_MONDAY + week * WEEK_MS
  return isWithin(wall - monday, FROZEN) ? monday + FROZEN.from : wall
}

function isAt(times: { everyHours: number; fromMinute: number; untilMinute: number }, wall: number): boolean {
  const minutes = timeOfDay(wall) / MINUTE_MS
  const isHour = Math.floor(minutes / 60) % times.everyHours === 0
  return isHour && isWithin(minutes % 60, { from: times.fromMinute, until: times.untilMinute })
}

const timeOfDay = (wall: number): number => wall % DAY_MS

const isWithin = (time: number, { from, until }: { from: number; until: number }): boolean =>
  time >= from && time < until
