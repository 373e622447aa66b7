import { DAY_MS } from '../../values/time-units.ts'
import { THRESHOLDS } from './thresholds.ts'

const { confirming, step, zero } = THRESHOLDS
const { days, factor, atLeast, fromDays, guess, stepMs } = THRESHOLDS.rateOfChange

/** The result for a count: it fits the counts before, or is a jump that several readings confirm, or an outlier. */
type FilterResult = 'accepted' | 'confirmed' | 'outlier'

/**
 * Creates the filter that separates outliers from the counts that a car park can have reached.
 *
 * A jump beyond the maximum rate of change is an outlier until three readings lie near each other at the new level. Zeros
 * between them are ignored: a sensor that drops out sends 0, also every other time. Zeros do not confirm each other either:
 * the level 0 is accepted once the count moves away from 0 at a possible rate.
 */
export function createOutlierFilter() {
  const rateOfChange = createRateOfChange()
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
    // A 0 does not end a run of candidates.
    if (spaces !== 0) candidates = 0
  }

  return {
    /** Filters the next count. */
    take(at: number, spaces: number, zeroIsUsual: boolean): FilterResult {
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
    /** Forgets the last count, so that any count may follow, as after a closure. */
    reset(): void {
      known = false
      zeroIsOutlier = false
      candidates = 0
    },
  }
}

/** The maximum rate of change of a count, learned from the largest changes of the last weeks; a guess at first. */
function createRateOfChange() {
  const largest = new Uint32Array(days)
  let known = 0
  let today = Number.NEGATIVE_INFINITY
  let largestToday = 0
  let fiveMinutes: number = guess

  function endDay(): void {
    if (largestToday === 0) return
    largest[known % days] = largestToday
    known += 1
    if (known < fromDays) return
    const sorted = largest.slice(0, Math.min(known, days)).sort()
    fiveMinutes = Math.max(atLeast, factor * (sorted[sorted.length >> 1] as number))
  }

  return {
    /** The largest possible change of the count in a time. */
    maximum: (elapsedMs: number): number => fiveMinutes * Math.max(1, elapsedMs / stepMs),
    /** Learns from a change between two consecutive readings. */
    learn(at: number, change: number): void {
      const day = Math.floor(at / DAY_MS)
      if (day !== today) {
        endDay()
        today = day
        largestToday = 0
      }
      largestToday = Math.max(largestToday, Math.abs(change))
    },
  }
}
