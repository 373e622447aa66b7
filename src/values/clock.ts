import { abortable } from './promises.ts'

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
export async function pause(clock: Clock, milliseconds: number, signal: AbortSignal): Promise<void> {
  let handle: unknown
  const passed = new Promise<void>(resolve => {
    handle = clock.setTimeout(resolve, milliseconds)
  })
  await abortable(passed, signal).finally(() => clock.clearTimeout(handle))
}
