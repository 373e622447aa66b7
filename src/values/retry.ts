/** The delays after failures in a row. */
export interface Backoff {
  readonly firstMs: number
  readonly longestMs: number
  /** How many times the one before it each delay is; 2 if absent. */
  readonly growth?: number
}

/** The delay after so many failures in a row. */
export const backoffMs = (failures: number, { firstMs, longestMs, growth = 2 }: Backoff): number =>
  Math.min(firstMs * growth ** (failures - 1), longestMs)

const JITTER = 0.2

/** Shortens a delay at random by up to a fifth, so that many services or instances do not come at the same instant. */
export const shortened = (milliseconds: number, random = Math.random): number =>
  milliseconds * (1 - JITTER * random())

export interface RetryOptions extends Backoff {
  /** Repeated until it resolves. */
  readonly attempt: () => Promise<void>
  /** The longest delay after errors that are likely to last. */
  readonly longestAfter?: (error: unknown) => number
  /** Stops all further attempts. */
  readonly signal: AbortSignal
}

/** Repeats an attempt with exponential back-off, and remembers the delay while failures follow each other. */
export interface Retry {
  /** Attempts now; resolves when that has ended, however it ended. Never rejects. */
  now(): Promise<void>
  /** Attempts after the next delay, as after a failure; at once if there was no failure for a while and `atOnce`. */
  later(options?: { atOnce?: boolean }): void
  /** Attempts soon if the next one is far away. */
  soon(): void
}

/** After this time without a failure the delays start from the shortest. */
const STABLE_MS = 10_000

/** Creates the back-off of one connection or task; nothing is attempted yet. */
export function createRetry({
  attempt,
  firstMs,
  longestMs,
  longestAfter = () => longestMs,
  signal,
}: RetryOptions): Retry {
  let failures = 0
  let dueAt = Number.NEGATIVE_INFINITY
  let succeededAt = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | undefined
  signal.addEventListener('abort', () => clearTimeout(timer), { once: true })

  function attemptIn(milliseconds: number): void {
    if (signal.aborted) return
    clearTimeout(timer)
    dueAt = performance.now() + milliseconds
    timer = setTimeout(now, shortened(milliseconds))
    timer.unref()
  }

  function delayed(atMostMs: number): void {
    failures++
    attemptIn(backoffMs(failures, { firstMs, longestMs: atMostMs }))
  }

  async function now(): Promise<void> {
    clearTimeout(timer)
    try {
      await attempt()
      succeededAt = performance.now()
    } catch (error) {
      delayed(longestAfter(error))
    }
  }

  return {
    now,
    later({ atOnce = false } = {}) {
      const isStable = performance.now() - succeededAt >= STABLE_MS
      if (isStable) failures = 0
      if (isStable && atOnce) attemptIn(0)
      else delayed(longestMs)
    },
    soon() {
      if (dueAt - performance.now() > longestMs) attemptIn(firstMs)
    },
  }
}
