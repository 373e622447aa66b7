import { randomInt } from 'node:crypto'

/**
 * The revision after another. By the clock, and two digits by chance: where a standby takes over that had not heard of the
 * last change, the next one must not have the number that instances know already.
 */
export const nextRevision = (before: number): number =>
  Math.max(before + 1, Date.now() * 100 + randomInt(100))
