import type { Reach } from './rate-of-change.ts'
import { THRESHOLDS } from './thresholds.ts'

const { confirming, step, zero } = THRESHOLDS

/** What a count is worth beside those before it. */
export type LevelVerdict = 'accepted' | 'confirmed' | 'doubtful'

/** Tells counts that a car park can have reached from wild ones. */
export interface Level {
  /** Judges the next count. `accepted` follows from the last, `confirmed` is a jump that several readings bear out. */
  take(at: number, spaces: number, zeroIsUsual: boolean): LevelVerdict
  /** Any count is possible next, as after a gap or a closure. */
  forget(): void
}

/**
 * A jump that the car park never makes is doubtful until three readings lie near each other at the new level. Zeros
 * between them do not count: a counter that drops out says 0, also every other time. Nor do they confirm each other:
 * such a 0 is believed once the count moves away from it in reach.
 */
export function createLevel(reach: Reach): Level {
  let known = false
  let value = 0
  let valueAt = 0
  let doubtfulZero = false
  let candidate = 0
  let candidateAt = 0
  let candidates = 0

  function accept(at: number, spaces: number): void {
    if (known && at - valueAt <= step.learnedMs) reach.learn(at, spaces - value)
    known = true
    value = spaces
    valueAt = at
    doubtfulZero = false
    // Zeros between them do not end a row of candidates.
    if (spaces !== 0) candidates = 0
  }

  return {
    take(at, spaces, zeroIsUsual) {
      const share = spaces === 0 ? zero.reach : 1
      const inReach = !known || Math.abs(spaces - value) <= share * reach.within(at - valueAt)
      const believable =
        spaces !== 0 ||
        !doubtfulZero ||
        (zeroIsUsual && at - valueAt >= zero.believedAfterMs && at - valueAt <= zero.believedUntilMs)
      if (inReach && believable) {
        accept(at, spaces)
        return 'accepted'
      }
      if (spaces === 0) {
        doubtfulZero = true
        return 'doubtful'
      }
      const follows =
        candidates > 0 &&
        at - candidateAt <= confirming.withinMs &&
        Math.abs(spaces - candidate) <= reach.within(at - candidateAt)
      candidates = follows ? candidates + 1 : 1
      candidate = spaces
      candidateAt = at
      if (candidates < confirming.readings) return 'doubtful'
      known = false
      accept(at, spaces)
      return 'confirmed'
    },
    forget() {
      known = false
      doubtfulZero = false
      candidates = 0
    },
  }
}
