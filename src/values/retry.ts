export interface RetryOptions {
  /** Repeated until it resolves. */
  readonly attempt: () => Promise<void>
  /** The first delay; each doubles the one before it, up to the longest. */
  readonly firstMs: number
  readonly longestMs: number
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
/** Delays are shortened at random by up to this share, so that instances do not retry in step. */
const JITTER = 0.2

/** Creates the back-off of one connection or task; nothing is attempted yet. */
export function createRetry({
  attempt,
  firstMs,
  longestMs,
  longestAfter = () => longestMs,
  signal,
}: RetryOptions): Retry {
  let delayMs = firstMs
  let dueAt = Number.NEGATIVE_INFINITY
  let succeededAt = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | undefined
  signal.addEventListener('abort', () => clearTimeout(timer), { once: true })

  function attemptIn(milliseconds: number): void {
    if (signal.aborted) return
    clearTimeout(timer)
    dueAt = performance.now() + milliseconds
    timer = setTimeout(now, milliseconds * (1 - JITTER * Math.random()))
    timer.unref()
  }

  function delayed(atMostMs: number): void {
    const next = Math.min(delayMs, atMostMs)
    delayMs = Math.min(2 * next, atMostMs)
    attemptIn(next)
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
      if (isStable) delayMs = firstMs
      if (isStable && atOnce) attemptIn(0)
      else delayed(longestMs)
    },
    soon() {
      if (dueAt - performance.now() > longestMs) attemptIn(firstMs)
    },
  }
}
