import { weekdayOf } from '../../values/day-number.ts'
import type { LocalClock } from '../local-clock.ts'
import { HALF_LIFE_DAYS, MEMORY_DAYS, OTHER_GROUP_WEIGHT, SAME_GROUP_WEIGHT } from './parameters.ts'
import { ABSENT, type RingBuffer } from './ring-buffer.ts'

/** The kinds of day, by number: 0 is Sunday, 7 a bank holiday whatever its weekday. */
export const DAY_KINDS = [
  'sunday',
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'bank-holiday',
] as const

/** The number of a day's kind (see {@link DAY_KINDS}). */
export const kindOfDay = (day: number, clock: LocalClock): number =>
  clock.isBankHoliday(day) ? 7 : weekdayOf(day)

/** By kind: car parks fill alike from Monday to Thursday, and on bank holidays as on Sundays. */
const GROUPS = [0, 1, 1, 1, 1, 5, 6, 0]

/** The part of a forecast that stays the same through a day. */
export interface DayFrame {
  /** The standard deviation of all kept counts. */
  readonly spread: number
  /** The largest kept count. */
  readonly largest: number
  /** The weights of past days by kind and age, indexed by days ago; the one at 0 is unused. */
  readonly weights: Float64Array
  /** 1 where the day is of today's group, indexed by days ago. */
  readonly ofGroup: Uint8Array
}

/** The weights of past days by age. */
const BY_AGE = Float64Array.from({ length: MEMORY_DAYS }, (_, ago) => 0.5 ** (ago / HALF_LIFE_DAYS))

/** Computes the frame of the buffer's present day. */
export function dayFrame(counts: RingBuffer, clock: LocalClock): DayFrame {
  const today = counts.day()
  const kind = kindOfDay(today, clock)
  const weights = new Float64Array(MEMORY_DAYS)
  const ofGroup = new Uint8Array(MEMORY_DAYS)
  for (let ago = 0; ago < MEMORY_DAYS; ago++) {
    const other = kindOfDay(today - ago, clock)
    const alike = GROUPS[kind] === GROUPS[other]
    ofGroup[ago] = alike ? 1 : 0
    weights[ago] =
      (other === kind ? 1 : alike ? SAME_GROUP_WEIGHT : OTHER_GROUP_WEIGHT) * (BY_AGE[ago] as number)
  }
  return { ...extent(counts.cells), weights, ofGroup }
}

function extent(cells: Int32Array): { spread: number; largest: number } {
  const counts = cells.filter(spaces => spaces !== ABSENT)
  const meanOf = (of: (spaces: number) => number) =>
    counts.reduce((sum, spaces) => sum + of(spaces), 0) / Math.max(counts.length, 1)
  const mean = meanOf(spaces => spaces)
  return {
    spread: Math.sqrt(meanOf(spaces => (spaces - mean) ** 2)),
    largest: counts.reduce((most, spaces) => Math.max(most, spaces), 0),
  }
}
