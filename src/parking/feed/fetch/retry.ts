import { FetchError } from '../../../sources/fetch/fetch-error.ts'
import { type Clock, pause } from '../../../values/clock.ts'
import { backoffMs, shortened } from '../../../values/retry.ts'

const MAX_RETRIES = 2
const PAUSES = { firstMs: 250, growth: 3, longestMs: 750 }

/** The bounds on the attempts of one poll. */
export interface RetryBounds {
  readonly clock: Clock
  readonly signal: AbortSignal
  /** No attempt starts that might end later than this after the poll's start. */
  readonly withinMs: number
  /** The longest time that one attempt takes. */
  readonly attemptMs: number
}

/**
 * Makes up to three attempts where a failure may be transient: a lost connection, a late, cut or 5xx response.
 */
export async function withRetries(attempt: () => Promise<void>, bounds: RetryBounds): Promise<void> {
  const { clock, signal, withinMs, attemptMs } = bounds
  const startedAt = clock.now().getTime()
  for (let retries = 0; ; retries++) {
    const pauseMs = Math.round(shortened(backoffMs(retries + 1, PAUSES)))
    try {
      return await attempt()
    } catch (error) {
      const endsAfterMs = clock.now().getTime() - startedAt + pauseMs + attemptMs
      if (retries === MAX_RETRIES || signal.aborted || !isTransient(error) || endsAfterMs > withinMs)
        throw error
    }
    await pause(clock, pauseMs, signal)
  }
}

function isTransient(error: unknown): boolean {
  // A feed that sends Retry-After is not polled before.
  if (!(error instanceof FetchError) || error.retryAfterMs !== undefined) return false
  if (error.kind === 'status') return (error.status ?? 0) >= 500
  return error.kind === 'refused' || error.kind === 'timeout' || error.kind === 'unreadable'
}
