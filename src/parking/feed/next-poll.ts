/** The longest that a feed which fails is left alone, whatever the interval is and the feed asks for. */
const LONGEST_MS = 5 * 60_000
/** How much of the pause after a failure is left to chance, so that many services do not ask at the same instant. */
const JITTER = 0.2

/** What decides when the feed is asked again. */
export interface PollEnd {
  readonly intervalMs: number
  /** How long the poll took. */
  readonly elapsedMs: number
  readonly failed: boolean
  /** How long the feed asked to be left alone. */
  readonly retryAfterMs?: number | undefined
  /** From 0 to just below 1. */
  readonly random: () => number
}

/**
 * Milliseconds from the end of a poll to the next. Polls begin an interval apart; after a failure never more than that,
 * so that the feed is back within one, unless it asked for more.
 */
export function pauseBeforeNext({
  intervalMs,
  elapsedMs,
  failed,
  retryAfterMs = 0,
  random,
}: PollEnd): number {
  const apartMs = failed ? Math.min(intervalMs, LONGEST_MS) * (1 - JITTER * random()) : intervalMs
  return Math.max(0, Math.round(apartMs) - elapsedMs, Math.min(retryAfterMs, LONGEST_MS))
}
