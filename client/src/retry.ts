import { ProblemError } from './problem-error.ts'

/** Waits for `ms` milliseconds. Rejects with the signal's reason once the signal is aborted. */
export type Wait = (ms: number, signal: AbortSignal | undefined) => Promise<void>

export interface Retrying {
  /** How often to try again. */
  readonly retries: number
  readonly wait: Wait
  readonly signal: AbortSignal | undefined
}

/** A call that would have to wait longer fails instead. `retryAfter` then says how long. */
const LONGEST_WAIT_S = 60

const FIRST_BACKOFF_MS = 500

/** Waits with a timer. */
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

/** Repeats an attempt after temporary failures, up to `retries` times. Throws the last error. */
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

/** Whether the same request may succeed soon: after 429, 503, and connections that fail or are cut. */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof ProblemError)) return error instanceof TypeError
  const { status, retryAfter = 0 } = error
  return (status === 429 || status === 503) && retryAfter <= LONGEST_WAIT_S
}

/**
 * The time that the service asks for, or half a second, doubled with each failure. So that clients do not return together,
 * each one adds a random part of up to a second to the service's time, or subtracts up to half of its own.
 */
export function delayMs(error: unknown, failures: number): number {
  const asked = error instanceof ProblemError ? error.retryAfter : undefined
  if (asked !== undefined) return asked * 1000 + Math.random() * Math.min(1000, asked * 1000)
  return Math.min(FIRST_BACKOFF_MS * 2 ** failures, LONGEST_WAIT_S * 1000) * (0.5 + Math.random() / 2)
}
