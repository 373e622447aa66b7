import { ConstantBackoff, handleWhen, retry } from 'cockatiel'
import { type Clock, pause } from '../clock.ts'
import { FeedError } from './feed-error.ts'

const MAX_RETRIES = 2
const FIRST_PAUSE_MS = 250

/** What bounds the attempts of one poll. */
export interface RetryBounds {
  readonly clock: Clock
  readonly signal: AbortSignal
  /** No attempt starts that might not be over within this time of the poll's start. */
  readonly withinMs: number
  /** The longest that an attempt takes. */
  readonly attemptMs: number
}

/**
 * Tries up to three times what may work the next moment: a lost connection, a late, cut or 5xx answer. Pauses grow and
 * are drawn at random, so that many services do not come back at the same instant.
 */
export function withRetries<T>(attempt: () => Promise<T>, bounds: RetryBounds): Promise<T> {
  const { clock, signal, withinMs, attemptMs } = bounds
  const start = clock.now().getTime()
  let pauseMs = 0
  const policy = handleWhen(error => {
    pauseMs = jittered((pauseMs || FIRST_PAUSE_MS / 3) * 3)
    const elapsedMs = clock.now().getTime() - start
    return mayPass(error) && elapsedMs + pauseMs + attemptMs <= withinMs
  })
  // The pause is ours: cockatiel's own can neither be aborted nor run on the clock given.
  const retries = retry(policy, { maxAttempts: MAX_RETRIES, backoff: new ConstantBackoff(0) })
  return retries.execute(async ({ attempt: number }) => {
    if (number > 0) await pause(clock, pauseMs, signal)
    return attempt()
  }, signal)
}

/** Between half of it and one and a half. */
const jittered = (milliseconds: number) => Math.round(milliseconds * (0.5 + Math.random()))

function mayPass(error: Error): boolean {
  // Who asks to be left alone is left alone.
  if (!(error instanceof FeedError) || error.retryAfterMs !== undefined) return false
  if (error.kind === 'status') return (error.status ?? 0) >= 500
  return error.kind === 'refused' || error.kind === 'timeout' || error.kind === 'unreadable'
}
