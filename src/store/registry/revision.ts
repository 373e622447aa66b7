import { randomInt } from 'node:crypto'

/**
 * The revision after another, made from the clock and two random digits: after a fail-over to a standby that lacks the
 * last change, the next revision must not equal one that instances have seen.
 */
export const nextRevision = (before: number): number =>
  Math.max(before + 1, Date.now() * 100 + randomInt(100))
