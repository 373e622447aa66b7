import type { Leases } from '../../store/coordination.ts'
import { within } from '../../values/promises.ts'

/** The lease to follow the sources, kept for as long as this instance can. */
export interface KeptLease {
  isHeld(): boolean
  start(): void
  /** Releases it at once. Never rejects. */
  stop(): Promise<void>
}

/** Another instance takes over within `leaseMs` of the end of this one. */
export const LEASE_TIMING = { leaseMs: 15_000, renewEveryMs: 5_000, timeoutMs: 5_000 }

/** Keeps the lease among instances that share a store; `onChange` is called when it is won or lost. */
export function keepLease(
  leases: Leases | undefined,
  onChange: () => void,
  timing = LEASE_TIMING,
): KeptLease {
  if (leases === undefined) return { isHeld: () => true, start: () => {}, stop: async () => {} }
  const { acquireLease, releaseLease } = leases
  const { leaseMs, renewEveryMs, timeoutMs } = timing
  let heldUntil = Number.NEGATIVE_INFINITY
  let wasHeld = false
  let renewing: Promise<void> = Promise.resolve()
  let timer: NodeJS.Timeout | undefined
  let hasStopped = false

  const isHeld = () => performance.now() < heldUntil
  const soon = <T>(promised: Promise<T>) =>
    within(timeoutMs, promised, () => new Error('the store does not respond'))

  async function renew(): Promise<void> {
    const requestedAt = performance.now()
    try {
      const { leading } = await soon(acquireLease('sources', leaseMs))
      heldUntil = leading ? requestedAt + leaseMs : Number.NEGATIVE_INFINITY
    } catch {
      // It lasts until its end.
    }
    if (hasStopped) return
    if (wasHeld !== isHeld()) {
      wasHeld = isHeld()
      onChange()
    }
    timer = setTimeout(start, renewEveryMs)
    timer.unref()
  }

  function start(): void {
    renewing = renew()
  }

  return {
    ...{ isHeld, start },
    async stop() {
      hasStopped = true
      clearTimeout(timer)
      // A renewal under way could take the lease again after its release.
      await renewing
      if (isHeld()) await soon(releaseLease('sources')).catch(() => undefined)
      heldUntil = Number.NEGATIVE_INFINITY
    },
  }
}
