import type { RateOfChange } from './rate-of-change.ts'
import { THRESHOLDS } from './thresholds.ts'

const { confirming, step, zero } = THRESHOLDS

/** The result for a count, given those before it. */
export type FilterResult = 'accepted' | 'confirmed' | 'outlier'

/** Separates counts that a car park can have reached from outliers. */
export interface OutlierFilter {
  /** Filters the next count. `accepted` follows from the last, `confirmed` is a jump that several readings confirm. */
  take(at: number, spaces: number, zeroIsUsual: boolean): FilterResult
  /** Forgets the last count, so that any may follow, as after a closure. */
  reset(): void
}

/**
 * A jump beyond the maximum rate of change is an outlier until three readings lie near each other at the new level. Zeros
 * between them are ignored: a sensor that drops out sends 0, also every other time. Nor do zeros confirm each other: such
 * a 0 is accepted once the count moves away from it at a possible rate.
 */
export function createOutlierFilter(rateOfChange: RateOfChange): OutlierFilter {
  let known = false
  let value = 0
  let valueAt = 0
  let zeroIsOutlier = false
  let candidate = 0
  let candidateAt = 0
  let candidates = 0

  function accept(at: number, spaces: number): void {
    if (known && at - valueAt <= step.learnedMs) rateOfChange.learn(at, spaces - value)
    known = true
    value = spaces
    valueAt = at
    zeroIsOutlier = false
    // Zeros between them do not end a run of candidates.
    if (spaces !== 0) candidates = 0
  }

  return {
    take(at, spaces, zeroIsUsual) {
      const share = spaces === 0 ? zero.rateOfChange : 1
      const isPossible = !known || Math.abs(spaces - value) <= share * rateOfChange.maximum(at - valueAt)
      const isCredible =
        spaces !== 0 ||
        !zeroIsOutlier ||
        (zeroIsUsual && at - valueAt >= zero.acceptedAfterMs && at - valueAt <= zero.acceptedUntilMs)
      if (isPossible && isCredible) {
        accept(at, spaces)
        return 'accepted'
      }
      if (spaces === 0) {
        zeroIsOutlier = true
        return 'outlier'
      }
      const follows =
        candidates > 0 &&
        at - candidateAt <= confirming.withinMs &&
        Math.abs(spaces - candidate) <= rateOfChange.maximum(at - candidateAt)
      candidates = follows ? candidates + 1 : 1
      candidate = spaces
      candidateAt = at
      if (candidates < confirming.readings) return 'outlier'
      known = false
      accept(at, spaces)
      return 'confirmed'
    },
    reset() {
      known = false
      zeroIsOutlier = false
      candidates = 0
    },
  }
}
