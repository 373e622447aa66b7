import { type Habits, hourOf, SLOTS } from './baseline.ts'
import { THRESHOLDS } from './thresholds.ts'

const {
  allowance,
  stepAtMost,
  stepAtMostAtZero,
  change,
  found,
  atMost,
  recovered,
  atNight,
  fromHour,
  toHour,
} = THRESHOLDS.standing

/** Sums up how improbable it is that a working counter stands still as this one does. */
export interface Standing {
  /** A step without change from one time to another. What is seen at a doubtful count is not learned. */
  stand(from: number, to: number, atZero: boolean, learned: boolean): void
  /** A step at whose end the count, until then at 0 or not, is another. */
  move(to: number, wasAtZero: boolean, learned: boolean): void
  /** Drops all suspicion. */
  reset(): void
  readonly frozen: boolean
  /** Since when the count stands still improbably; undefined while nothing is suspected. */
  readonly since: number | undefined
}

/**
 * A cumulative sum as in Page's test: each step without change adds minus the logarithm of its chance, each change
 * takes a fixed amount off, so that a counter that stirs once in hours is found as well. What was seen meanwhile is
 * learned once suspicion is gone. From a frozen counter nothing is learned, but that a little known one does move.
 */
export function createStanding(habits: Habits): Standing {
  // For each slot: steps and still ones not at 0, steps and still ones at 0.
  const pending = new Uint16Array(SLOTS * 4)
  let touched: number[] = []
  let sum = 0
  let frozen = false
  let since: number | undefined
  let movedAt = Number.NEGATIVE_INFINITY

  function note(at: number, atZero: boolean, still: boolean): void {
    const index = habits.slotAt(at) * 4 + (atZero ? 2 : 0)
    if (pending[index] === 0) touched.push(index)
    pending[index] = (pending[index] as number) + 1
    if (still) pending[index + 1] = (pending[index + 1] as number) + 1
  }

  function settle(isLearned: (slot: number) => boolean): void {
    for (const index of touched) {
      const steps = pending[index] as number
      if (isLearned(index >> 2))
        habits.learn(index >> 2, (index & 2) !== 0, pending[index + 1] as number, steps)
      pending[index] = 0
      pending[index + 1] = 0
    }
    touched = []
  }

  return {
    stand(from, to, atZero, learned) {
      if (learned) note(to, atZero, true)
      since ??= from
      const slot = habits.slotAt(to)
      const improbable = Math.max(0, -Math.log(habits.stillChance(slot, atZero)) - allowance)
      const step = Math.min(atZero ? stepAtMostAtZero : stepAtMost, improbable)
      const byDay = hourOf(slot) >= fromHour && hourOf(slot) < toHour
      sum = Math.max(sum, Math.min(sum + step, byDay ? atMost : atNight))
      frozen ||= sum >= found
    },
    move(to, wasAtZero, learned) {
      if (learned) note(to, wasAtZero, false)
      sum = Math.max(0, sum - change)
      const stoodBriefly = to - movedAt < THRESHOLDS.habits.briefMs
      movedAt = to
      if (frozen && sum > recovered) {
        settle(slot => stoodBriefly && habits.isLittleKnown(slot))
        return
      }
      if (frozen) settle(() => false)
      else if (sum > 0) return
      frozen = false
      sum = 0
      since = undefined
      settle(() => true)
    },
    reset() {
      sum = 0
      frozen = false
      since = undefined
      settle(() => false)
    },
    get frozen() {
      return frozen
    },
    get since() {
      return since
    },
  }
}
