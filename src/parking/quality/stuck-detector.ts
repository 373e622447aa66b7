import { type CountBaseline, hourOf, SLOTS } from './baseline.ts'
import { THRESHOLDS } from './thresholds.ts'

const { allowance, change, found, recovered, ...limits } = THRESHOLDS.stuck

/**
 * Creates the detector of a stuck sensor: one whose count stays the same for improbably long.
 *
 * A cumulative sum (CUSUM, Page's test): each step without change adds minus the logarithm of its probability, each change
 * subtracts a fixed amount, so that a sensor that moves once in hours is detected as well. Steps train the baseline once
 * the sum is back at 0. A stuck sensor trains nothing, except that a little known one does move.
 */
export function createStuckDetector(baseline: CountBaseline) {
  // For each slot: steps and unchanged ones not at 0, steps and unchanged ones at 0.
  const pending = new Uint16Array(SLOTS * 4)
  let touched: number[] = []
  let sum = 0
  let stuck = false
  let since: number | undefined
  let changedAt = Number.NEGATIVE_INFINITY

  function train(at: number, atZero: boolean, isUnchanged: boolean): void {
    const index = baseline.slotAt(at) * 4 + (atZero ? 2 : 0)
    if (pending[index] === 0) touched.push(index)
    pending[index] = (pending[index] as number) + 1
    if (isUnchanged) pending[index + 1] = (pending[index + 1] as number) + 1
  }

  function settle(isLearned: (slot: number) => boolean): void {
    for (const index of touched) {
      const steps = pending[index] as number
      if (isLearned(index >> 2))
        baseline.learn(index >> 2, (index & 2) !== 0, pending[index + 1] as number, steps)
      pending[index] = 0
      pending[index + 1] = 0
    }
    touched = []
  }

  return {
    /** Takes a step without change from one time to another. `learned` is false for steps that must not train the baseline. */
    unchanged(from: number, to: number, atZero: boolean, learned: boolean): void {
      if (learned) train(to, atZero, true)
      since ??= from
      const slot = baseline.slotAt(to)
      const improbability = Math.max(0, -Math.log(baseline.unchangedProbability(slot, atZero)) - allowance)
      const step = Math.min(atZero ? limits.stepAtMostAtZero : limits.stepAtMost, improbability)
      const byDay = hourOf(slot) >= limits.fromHour && hourOf(slot) < limits.toHour
      sum = Math.max(sum, Math.min(sum + step, byDay ? limits.atMost : limits.atNight))
      stuck ||= sum >= found
    },
    /** Takes a step with a change of a count that was at 0 or not before. */
    changed(to: number, wasAtZero: boolean, learned: boolean): void {
      if (learned) train(to, wasAtZero, false)
      sum = Math.max(0, sum - change)
      const wasBrief = to - changedAt < THRESHOLDS.baseline.briefMs
      changedAt = to
      if (stuck && sum > recovered) {
        settle(slot => wasBrief && baseline.isLittleKnown(slot))
        return
      }
      if (stuck) settle(() => false)
      else if (sum > 0) return
      stuck = false
      sum = 0
      since = undefined
      settle(() => true)
    },
    reset(): void {
      sum = 0
      stuck = false
      since = undefined
      settle(() => false)
    },
    get stuck(): boolean {
      return stuck
    },
    /** The time of the first step of the present sum; undefined where the sum is 0. */
    get since(): number | undefined {
      return since
    },
  }
}
