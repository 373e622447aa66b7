import { type CountBaseline, hourOf } from './baseline.ts'
import { THRESHOLDS } from './thresholds.ts'

const { allowance, change, found, recovered, ...limits } = THRESHOLDS.stuck

/**
 * Creates the detector of a stuck sensor, whose count stays the same for improbably long.
 *
 * A cumulative sum (CUSUM, Page's test): each step without change adds minus the logarithm of its probability. Each change
 * subtracts a fixed amount, so that a sensor with one change in hours is detected as well. Steps train the baseline once
 * the sum is back at 0. A stuck sensor trains nothing, except that a little known hour learns that the count does move.
 */
export function createStuckDetector(baseline: CountBaseline) {
  /** The steps that may train the baseline, by slot and whether the count was at 0. */
  const pending = new Map<number, { slot: number; atZero: boolean; steps: number; unchanged: number }>()
  let sum = 0
  let stuck = false
  let since: number | undefined
  let changedAt = Number.NEGATIVE_INFINITY

  function train(at: number, atZero: boolean, isUnchanged: boolean): void {
    const slot = baseline.slotAt(at)
    const key = slot * 2 + Number(atZero)
    const { steps, unchanged } = pending.get(key) ?? { steps: 0, unchanged: 0 }
    pending.set(key, { slot, atZero, steps: steps + 1, unchanged: unchanged + Number(isUnchanged) })
  }

  function settle(isLearned: (slot: number) => boolean): void {
    for (const { slot, atZero, steps, unchanged } of pending.values())
      if (isLearned(slot)) baseline.learn(slot, atZero, unchanged, steps)
    pending.clear()
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
    /** Takes a step with a change of the count. */
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
    /** The time of the first step of the present sum; undefined if the sum is 0. */
    get since(): number | undefined {
      return since
    },
  }
}
