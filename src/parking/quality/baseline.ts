import { DAY_MS } from '../../values/time-units.ts'
import type { LocalClock } from '../local-clock.ts'
import { THRESHOLDS } from './thresholds.ts'

const HOURS = 24
const { memory, guess, guessWeight, littleKnown, zeroGuessWeight } = THRESHOLDS.baseline

/** The hour of the clock of a slot. */
export const hourOf = (slot: number): number => slot % HOURS

/** The number of slots: the hours of working days, of Saturdays, and of Sundays with holidays. */
const SLOTS = 3 * HOURS

/** The probability that a car park's count does not change in a step, learned from its own past by kind of day and hour. */
export type CountBaseline = ReturnType<typeof createBaseline>

/** Creates the baseline of one car park. */
export function createBaseline(clock: LocalClock) {
  // For each slot: steps and unchanged ones not at 0, steps and unchanged ones at 0.
  const seen = new Float64Array(SLOTS * 4)
  const at = (slot: number, place: number) => seen[slot * 4 + place] as number
  return {
    /** The slot of an instant: the hour of its kind of day. The other methods take it. */
    slotAt(instant: number): number {
      const wall = new Date(clock.wallTime(instant))
      const weekday = wall.getUTCDay()
      const isHoliday = weekday === 0 || clock.isBankHoliday(Math.floor(wall.getTime() / DAY_MS))
      return (isHoliday ? 2 : weekday === 6 ? 1 : 0) * HOURS + wall.getUTCHours()
    },
    /** The probability of no change in a step of that slot, for a count at 0 or not. */
    unchangedProbability(slot: number, atZero: boolean): number {
      const steps = at(slot, 0)
      const moving = (at(slot, 1) + guessWeight * guessFor(slot)) / (steps + guessWeight)
      if (!atZero) return moving
      const stepsAtZero = at(slot, 2)
      const all = steps + stepsAtZero
      // A 0 in a well known hour without any before is not assumed to be normal.
      const guessAtZero = (all * moving + zeroGuessWeight * guess.atZero) / (all + zeroGuessWeight)
      return (at(slot, 3) + guessWeight * guessAtZero) / (stepsAtZero + guessWeight)
    },
    /** Whether that slot rests on few steps yet. */
    isLittleKnown: (slot: number): boolean => at(slot, 0) + at(slot, 2) < littleKnown,
    /** Whether the count is often at 0 in that slot. */
    zeroIsUsual: (slot: number): boolean =>
      at(slot, 2) > THRESHOLDS.zero.usualFrom * (at(slot, 2) + at(slot, 0) + guessWeight),
    learn(slot: number, atZero: boolean, unchanged: number, steps: number): void {
      // Both fade together: how often it is at 0 is part of the baseline of the hour.
      const keep = Math.max(0, 1 - steps / memory)
      for (let place = 0; place < 4; place++) seen[slot * 4 + place] = at(slot, place) * keep
      const place = atZero ? 2 : 0
      seen[slot * 4 + place] = at(slot, place) + steps
      seen[slot * 4 + place + 1] = at(slot, place + 1) + unchanged
    },
  }
}

function guessFor(slot: number): number {
  const hour = hourOf(slot)
  if (hour < 7 || hour >= 19) return guess.night
  return slot < HOURS ? guess.workdayDaytime : guess.restDayDaytime
}
