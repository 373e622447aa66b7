import { shortened } from '../../values/retry.ts'
import { MINUTE_MS } from '../../values/time-units.ts'

/** The longest pause after a failure, whatever the interval and Retry-After are. */
const LONGEST_MS = 5 * MINUTE_MS

/** What decides the time of the next poll. */
export interface PollEnd {
  readonly intervalMs: number
  /** The duration of the poll. */
  readonly elapsedMs: number
  readonly failed: boolean
  readonly retryAfterMs?: number | undefined
  /** From 0 to just below 1. */
  readonly random: () => number
}

/**
 * Milliseconds from the end of a poll to the next. Polls begin an interval apart; after a failure never more than that,
 * so that the feed is back within one interval, unless it sent a longer Retry-After.
 */
export function pauseBeforeNext(end: PollEnd): number {
  const { intervalMs, elapsedMs, failed, retryAfterMs = 0, random } = end
  const apartMs = failed ? shortened(Math.min(intervalMs, LONGEST_MS), random) : intervalMs
  return Math.max(0, Math.round(apartMs) - elapsedMs, Math.min(retryAfterMs, LONGEST_MS))
}
