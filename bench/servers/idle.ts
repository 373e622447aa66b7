import { setTimeout as pause } from 'node:timers/promises'

/** The window is longer than the pauses in a service’s work after a start. */
const LIMITS = { windowSeconds: 1.5, patienceSeconds: 120 }
/** A share of one core: an idle service still has timers and polls its feed. */
const IDLE_SHARE = 0.02

/**
 * Waits until a process uses almost no processor time, so that its background work does not count as work for requests.
 * Throws if the process never rests. Waits for one window if the platform does not report the processor time.
 */
export async function untilIdle(name: string, cpuSeconds: () => number, limits = LIMITS): Promise<void> {
  const { windowSeconds, patienceSeconds } = limits
  const began = performance.now()
  for (;;) {
    const [from, before] = [performance.now(), cpuSeconds()]
    await pause(windowSeconds * 1000)
    const share = ((cpuSeconds() - before) / (performance.now() - from)) * 1000
    if (Number.isNaN(share) || share < IDLE_SHARE) return
    const percent = Math.round(share * 100)
    if (performance.now() - began > patienceSeconds * 1000)
      throw new Error(
        `${name} still uses ${percent} % of a core after ${patienceSeconds} s: it must be idle first`,
      )
  }
}
