import { ISLAND } from '../../src/island/island.ts'
import { localClock } from '../../src/parking/local-clock.ts'
import { memoise } from '../../src/values/memoise.ts'
import { DEMO_SEED } from '../island-facts.ts'
import { hash32 } from '../random.ts'
import { type Curve, curve, list, valueAt } from '../tables.ts'
import type { LiveCarpark } from './live-carparks.ts'

/** The share of occupied spaces by hour of the day. */
type Week = Readonly<Record<'weekday' | 'saturday' | 'sunday', Curve>>

/** The interval of the feed's updates. */
export const TICK_MS = 30_000

/** The occupied share at every midnight, so that counts do not jump from one day to the next. */
const NIGHT = 0.1
const day = (text: string) => curve(`0: ${NIGHT}, ${text}, 24: ${NIGHT}`)

const WEEKS: Readonly<Record<LiveCarpark['use'], Week>> = {
  commuters: {
    weekday: day('5.5: 0.1, 7: 0.22, 9: 0.88, 10.5: 0.95, 16: 0.86, 18: 0.35, 21: 0.16'),
    saturday: day('7: 0.1, 11: 0.5, 14: 0.52, 18: 0.2'),
    sunday: day('9: 0.1, 13: 0.22, 18: 0.14'),
  },
  shoppers: {
    weekday: day('7: 0.1, 8.5: 0.3, 11: 0.82, 12.75: 0.95, 14.5: 0.78, 16: 0.72, 18: 0.3, 20: 0.25'),
    saturday: day('7.5: 0.1, 10: 0.7, 12: 0.98, 15: 0.93, 17.5: 0.4, 20: 0.3'),
    sunday: day('9: 0.1, 12: 0.3, 15: 0.34, 18: 0.15'),
  },
  visitors: {
    weekday: day('6: 0.14, 9: 0.5, 12: 0.66, 16: 0.6, 19: 0.38, 22: 0.2'),
    saturday: day('8: 0.16, 11: 0.6, 14: 0.78, 18: 0.5, 22: 0.24'),
    sunday: day('8: 0.13, 11: 0.34, 14: 0.44, 18: 0.28, 22: 0.16'),
  },
}

export interface FreeSpacesOptions {
  readonly seed?: number
  readonly timeZone?: string
}

/**
 * The free spaces of a car park at an instant, from 0 to the number of usable spaces. A pure function of car park, instant and
 * seed. The spaces follow the hour and the weekday of the island's clocks, with daily variation and noise.
 */
export function freeSpaces(carpark: LiveCarpark, at: Date, options: FreeSpacesOptions = {}): number {
  const { seed = DEMO_SEED, timeZone } = options
  const local = localTime(at, timeZone)
  const usual = valueAt(
    WEEKS[carpark.use][dayOf(local)],
    local.hour + local.minute / 60 + local.second / 3600,
  )
  const today = 1 + 0.18 * spread(`${seed}/${carpark.code}/${local.day} ${local.month}`)
  const taken = NIGHT + (usual - NIGHT) * today + tremor(`${seed}/${carpark.code}`, at, usual)
  const usable = carpark.spaces - carpark.unusable
  return Math.min(usable, Math.max(0, Math.round(usable * (1 - taken))))
}

function dayOf({ weekday }: LocalTime): keyof Week {
  if (weekday === 'Sunday') return 'sunday'
  return weekday === 'Saturday' ? 'saturday' : 'weekday'
}

/** Noise over a quarter of an hour and from tick to tick, both small when there are few cars. */
function tremor(key: string, at: Date, usual: number): number {
  const strength = 0.2 + usual
  const slow = wave(`${key}/slow`, at.getTime() / (30 * TICK_MS))
  const quick = wave(`${key}/quick`, at.getTime() / TICK_MS)
  return strength * (0.03 * slow + 0.008 * quick)
}

/** Interpolated noise from -0.5 to 0.5, with one random value at each whole number of time. */
function wave(key: string, time: number): number {
  const knot = Math.floor(time)
  const before = spread(`${key}/${knot}`)
  const after = spread(`${key}/${knot + 1}`)
  return before + (after - before) * (time - knot)
}

/** A pseudo-random number from -0.5 to 0.5, determined by the key. */
function spread(key: string): number {
  return hash32(key) / 0x1_0000_0000 - 0.5
}

const WEEKDAYS = list('Sunday, Monday, Tuesday, Wednesday, Thursday, Friday, Saturday')
const MONTHS = list(`January, February, March, April, May, June,
  July, August, September, October, November, December`)

const clockOf = memoise(localClock)

/** The wall time of an instant, as the instant at which UTC clocks show the same. */
export function wallTime(at: Date, timeZone = ISLAND.timeZone): number {
  return clockOf(timeZone).wallTime(at.getTime())
}

/** A local time with the feed's English names. */
export type LocalTime = ReturnType<typeof localTime>

/** The local time of the zone at an instant. */
export function localTime(at: Date, timeZone = ISLAND.timeZone) {
  const wall = new Date(wallTime(at, timeZone))
  return {
    weekday: WEEKDAYS[wall.getUTCDay()] ?? '',
    day: wall.getUTCDate(),
    month: MONTHS[wall.getUTCMonth()] ?? '',
    hour: wall.getUTCHours(),
    minute: wall.getUTCMinutes(),
    second: wall.getUTCSeconds(),
  }
}
