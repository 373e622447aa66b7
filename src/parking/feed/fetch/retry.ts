import { FetchError } from '../../../sources/fetch/fetch-error.ts'
import { type Clock, pause } from '../../../values/clock.ts'

const MAX_RETRIES = 2
const FIRST_PAUSE_MS = 250
const BACKOFF = 3

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
 * Makes up to three attempts where a failure may be transient: a lost connection, a late, cut or 5xx response. Pauses
 * grow exponentially with jitter, so that many services do not return at the same instant.
 */
export async function withRetries<T>(attempt: () => Promise<T>, bounds: RetryBounds): Promise<T> {
  const { clock, signal, withinMs, attemptMs } = bounds
  const startedAt = clock.now().getTime()
  let pauseMs = FIRST_PAUSE_MS / BACKOFF
  for (let retries = 0; ; retries++) {
    try {
      return await attempt()
    } catch (error) {
      pauseMs = withJitter(pauseMs * BACKOFF)
      const endsAfterMs = clock.now().getTime() - startedAt + pauseMs + attemptMs
      if (retries === MAX_RETRIES || signal.aborted || !isTransient(error) || endsAfterMs > withinMs)
        throw error
    }
    await pause(clock, pauseMs, signal)
  }
}

/** Half to one and a half times the duration. */
const withJitter = (milliseconds: number) => Math.round(milliseconds * (0.5 + Math.random()))

function isTransient(error: unknown): boolean {
  // A feed that sends Retry-After is not polled before.
  if (!(error instanceof FetchError) || error.retryAfterMs !== undefined) return false
  if (error.kind === 'status') return (error.status ?? 0) >= 500
  return error.kind === 'refused' || error.kind === 'timeout' || error.kind === 'unreadable'
}
