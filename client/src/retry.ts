import { ProblemError } from './problem-error.ts'

/** Waits so many milliseconds; rejects with the signal's reason once it is aborted. */
export type Wait = (ms: number, signal: AbortSignal | undefined) => Promise<void>

export interface Retrying {
  /** How often to try again. */
  readonly retries: number
  readonly wait: Wait
  readonly signal: AbortSignal | undefined
}

/** Nobody expects a call to wait longer: it fails instead, and says in `retryAfter` how long it would take. */
const LONGEST_WAIT_S = 60

const FIRST_BACKOFF_MS = 500

/** Waits by a timer. */
export const waitByTimer: Wait = (ms, signal) =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const end = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end)
      resolve()
    }, ms)
    signal?.addEventListener('abort', end, { once: true })
  })

/** Tries until it succeeds, fails for good or has been retried often enough; the last error is thrown. */
export async function withRetries<T>(attempt: () => Promise<T>, options: Retrying): Promise<T> {
  const { retries, wait, signal } = options
  for (let failures = 0; ; failures++)
    try {
      return await attempt()
    } catch (error) {
      if (failures >= retries || !isPassing(error)) throw error
      await wait(delayMs(error, failures), signal)
    }
}

/** Whether the same request may succeed later: 429, 503, and connections that fail or are cut. */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof ProblemError)) return error instanceof TypeError
  const { status, retryAfter = 0 } = error
  return (status === 429 || status === 503) && retryAfter <= LONGEST_WAIT_S
}

/**
 * What the service asks for, else half a second, doubled with each failure. Each client adds its own share of up to a
 * second or takes off up to half, so that those who failed together do not return together.
 */
export function delayMs(error: unknown, failures: number): number {
  const asked = error instanceof ProblemError ? error.retryAfter : undefined
  if (asked !== undefined) return asked * 1000 + Math.random() * Math.min(1000, asked * 1000)
  return Math.min(FIRST_BACKOFF_MS * 2 ** failures, LONGEST_WAIT_S * 1000) * (0.5 + Math.random() / 2)
}
