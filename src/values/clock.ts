/** The clock and timers of background work; tests have their own. */
export interface Clock {
  now(): Date
  /** Calls back once, after a time. Returns the handle for {@link Clock.clearTimeout}. */
  setTimeout(callback: () => void, milliseconds: number): unknown
  clearTimeout(handle: unknown): void
}

/** The machine's own clock. */
export const systemClock: Clock = {
  now: () => new Date(),
  setTimeout: (callback, milliseconds) => setTimeout(callback, milliseconds),
  clearTimeout: handle => clearTimeout(handle as NodeJS.Timeout),
}

/** Waits on the clock. Rejects with the signal's reason as soon as the signal is aborted. */
export function pause(clock: Clock, milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clock.clearTimeout(handle)
      reject(signal.reason)
    }
    const handle = clock.setTimeout(() => {
      signal.removeEventListener('abort', abort)
      resolve()
    }, milliseconds)
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
  })
}
