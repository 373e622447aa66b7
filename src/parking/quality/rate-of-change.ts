import { THRESHOLDS } from './thresholds.ts'

const DAY_MS = 86_400_000
const { days, factor, atLeast, fromDays, guess, stepMs } = THRESHOLDS.rateOfChange

/** The maximum rate of change of a car park's count, learned from the largest changes of its last weeks. */
export interface RateOfChange {
  /** The most that the count can change in a time. */
  maximum(elapsedMs: number): number
  /** Learns from a change between two consecutive readings. */
  learn(at: number, change: number): void
}

/** Creates a rate of change that begins with the guess of {@link THRESHOLDS}. */
export function createRateOfChange(): RateOfChange {
  const largest = new Uint32Array(days)
  const sorted = new Uint32Array(days)
  let known = 0
  let today = Number.NEGATIVE_INFINITY
  let largestToday = 0
  let fiveMinutes: number = guess

  function endDay(): void {
    if (largestToday === 0) return
    largest[known % days] = largestToday
    known += 1
    const count = Math.min(known, days)
    if (known < fromDays) return
    sorted.set(largest)
    const median = sorted.subarray(0, count).sort()[count >> 1] as number
    fiveMinutes = Math.max(atLeast, factor * median)
  }

  return {
    maximum: elapsedMs => fiveMinutes * Math.max(1, elapsedMs / stepMs),
    learn(at, change) {
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
