/** The delays after consecutive failures. */
export interface Backoff {
  readonly firstMs: number
  readonly longestMs: number
  /** The factor from each delay to the next; 2 if absent. */
  readonly growth?: number
}

/** The delay after this number of consecutive failures. */
export const backoffMs = (failures: number, { firstMs, longestMs, growth = 2 }: Backoff): number =>
  Math.min(firstMs * growth ** (failures - 1), longestMs)

const JITTER = 0.2

/** Shortens a delay at random by up to a fifth, so that many services or instances do not act at the same instant. */
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

/** If the last success is this long ago, `later` starts again from the shortest delay. */
const STABLE_MS = 10_000

/**
 * Creates the back-off of one connection or task; nothing is attempted yet. It remembers the delay while failures follow
 * each other.
 */
export function createRetry(options: RetryOptions) {
  const { attempt, firstMs, longestMs, longestAfter = () => longestMs, signal } = options
  let failures = 0
  let succeededAt = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | undefined
  signal.addEventListener('abort', () => clearTimeout(timer), { once: true })

  function delayed(atMostMs: number): void {
    failures++
    if (signal.aborted) return
    clearTimeout(timer)
    timer = setTimeout(now, shortened(backoffMs(failures, { firstMs, longestMs: atMostMs }))).unref()
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
    /** Attempts now; resolves when the attempt has succeeded or failed. Never rejects. */
    now,
    /** Attempts after the next delay, as after a failure. */
    later(): void {
      if (performance.now() - succeededAt >= STABLE_MS) failures = 0
      delayed(longestMs)
    },
  }
}
