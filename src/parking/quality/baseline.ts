import type { LocalClock } from '../local-clock.ts'
import { THRESHOLDS } from './thresholds.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000
const KINDS = 3
const HOURS = 24
const { memory, guess, guessWeight, zeroGuessWeight } = THRESHOLDS.baseline

/** The probability that a car park's count does not change in a step, learned from its own past by kind of day and hour. */
export interface Baseline {
  /** The slot of an instant: the hour of its kind of day. The other methods take it. */
  slotAt(instant: number): number
  /** The probability of no change in a step of that slot, for a count at 0 or not. */
  unchangedProbability(slot: number, atZero: boolean): number
  /** Whether that slot rests on few steps yet. */
  isLittleKnown(slot: number): boolean
  /** Whether the count is often at 0 in that slot. */
  zeroIsUsual(slot: number): boolean
  learn(slot: number, atZero: boolean, unchanged: number, steps: number): void
}

/** The hour of the clock of a slot. */
export const hourOf = (slot: number): number => slot % HOURS

/** The number of slots. */
export const SLOTS = KINDS * HOURS

/** Creates the baseline of one car park: working days, Saturdays, and Sundays with holidays, each by the hour of the clock. */
export function createBaseline(
  clock: LocalClock,
  isHoliday: (day: number) => boolean = () => false,
): Baseline {
  // For each slot: steps and unchanged ones not at 0, steps and unchanged ones at 0.
  const seen = new Float64Array(SLOTS * 4)
  return {
    slotAt(instant) {
      const wall = clock.wallTime(instant)
      const day = Math.floor(wall / DAY_MS)
      return kindOf(day, isHoliday) * HOURS + Math.floor((wall - day * DAY_MS) / HOUR_MS)
    },
    unchangedProbability(slot, atZero) {
      const steps = seen[slot * 4] as number
      const moving = ((seen[slot * 4 + 1] as number) + guessWeight * guessFor(slot)) / (steps + guessWeight)
      if (!atZero) return moving
      const stepsAtZero = seen[slot * 4 + 2] as number
      const all = steps + stepsAtZero
      // A 0 in a well known hour without any before is not assumed to be normal.
      const guessAtZero = (all * moving + zeroGuessWeight * guess.atZero) / (all + zeroGuessWeight)
      return ((seen[slot * 4 + 3] as number) + guessWeight * guessAtZero) / (stepsAtZero + guessWeight)
    },
    isLittleKnown: slot =>
      (seen[slot * 4] as number) + (seen[slot * 4 + 2] as number) < THRESHOLDS.baseline.littleKnown,
    zeroIsUsual(slot) {
      const atZero = seen[slot * 4 + 2] as number
      return atZero > THRESHOLDS.zero.usualFrom * (atZero + (seen[slot * 4] as number) + guessWeight)
    },
    learn(slot, atZero, unchanged, steps) {
      const base = slot * 4
      // Both fade together: how often it is at 0 is part of the baseline of the hour.
      const keep = Math.max(0, 1 - steps / memory)
      for (let i = base; i < base + 4; i++) seen[i] = (seen[i] as number) * keep
      const at = atZero ? base + 2 : base
      seen[at] = (seen[at] as number) + steps
      seen[at + 1] = (seen[at + 1] as number) + unchanged
    },
  }
}

function kindOf(day: number, isHoliday: (day: number) => boolean): number {
  // 1 January 1970 was a Thursday.
  const weekday = (((day + 4) % 7) + 7) % 7
  if (weekday === 0 || isHoliday(day)) return 2
  return weekday === 6 ? 1 : 0
}

function guessFor(slot: number): number {
  const hour = hourOf(slot)
  if (hour < 7 || hour >= 19) return guess.night
  return slot < HOURS ? guess.workdayDaytime : guess.restDayDaytime
}
