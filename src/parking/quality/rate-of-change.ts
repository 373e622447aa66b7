import { THRESHOLDS } from './thresholds.ts'

const DAY_MS = 86_400_000
const { days, factor, atLeast, fromDays, guess, stepMs } = THRESHOLDS.reach

/** How far a car park's count can move, from the largest changes of its own last weeks. */
export interface Reach {
  /** The most that the count changes in so many milliseconds. */
  within(elapsedMs: number): number
  /** Takes note of a change between two readings that follow each other. */
  learn(at: number, change: number): void
}

export function createReach(): Reach {
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
    within: elapsedMs => fiveMinutes * Math.max(1, elapsedMs / stepMs),
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
