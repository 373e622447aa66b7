import { setTimeout as pause } from 'node:timers/promises'

export interface IdleOptions {
  /** For the message. */
  readonly name: string
  /** Seconds of processor time that the process has used so far. */
  readonly cpuSeconds: () => number
  /** How long it must do next to nothing. */
  readonly windowSeconds?: number
  readonly patienceSeconds?: number
}

/** Longer than the service waits before it begins to write bulk files. */
const WINDOW_SECONDS = 1.5
const PATIENCE_SECONDS = 120
/** Of one core: timers and polling remain. */
const IDLE_SHARE = 0.02

/**
 * Waits until a process uses next to no processor time, so that work of its own does not count as work for requests.
 * Throws if it never rests. Where the platform does not tell the processor time, it waits for one window.
 */
export async function untilIdle(options: IdleOptions): Promise<void> {
  const { name, cpuSeconds, windowSeconds = WINDOW_SECONDS, patienceSeconds = PATIENCE_SECONDS } = options
  const began = performance.now()
  for (;;) {
    const [from, before] = [performance.now(), cpuSeconds()]
    await pause(windowSeconds * 1000)
    const share = ((cpuSeconds() - before) / (performance.now() - from)) * 1000
    if (Number.isNaN(share) || share < IDLE_SHARE) return
    if (performance.now() - began > patienceSeconds * 1000)
      throw new Error(
        `${name} still uses ${Math.round(share * 100)} % of a core after ${patienceSeconds} s; the bench measures idle servers only`,
      )
  }
}
