import { localClock, wallParts } from '../../parking/local-clock.ts'
import { memoise } from '../../values/memoise.ts'
import { list } from '../tables.ts'

/** The local time of a time zone, with the feed's English names. */
export interface LocalTime {
  readonly weekday: string
  readonly day: number
  readonly month: string
  readonly hour: number
  readonly minute: number
  readonly second: number
}

const WEEKDAYS = list('Sunday, Monday, Tuesday, Wednesday, Thursday, Friday, Saturday')
const MONTHS = list(`January, February, March, April, May, June,
  July, August, September, October, November, December`)

/** The zone of the island's clocks. */
export const ISLAND_TIME_ZONE = 'Europe/Jersey'

const clockOf = memoise(localClock)

/** The wall time of an instant, as the instant at which UTC clocks show the same. */
export function wallTime(at: Date, timeZone = ISLAND_TIME_ZONE): number {
  return clockOf(timeZone).wallTime(at.getTime())
}

/** The local time of the zone at an instant. */
export function localTime(at: Date, timeZone = ISLAND_TIME_ZONE): LocalTime {
  const wall = new Date(wallTime(at, timeZone))
  return {
    weekday: WEEKDAYS[wallParts(wall.getTime()).weekday] ?? '',
    day: wall.getUTCDate(),
    month: MONTHS[wall.getUTCMonth()] ?? '',
    hour: wall.getUTCHours(),
    minute: wall.getUTCMinutes(),
    second: wall.getUTCSeconds(),
  }
}
