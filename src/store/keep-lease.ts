import { repeat, within } from '../values/promises.ts'
import type { Lease, LeaseStatus, Leases } from './coordination.ts'

interface LeaseOptions {
  readonly leases: Leases
  readonly lease: Lease
  /** Another instance takes over at most so many milliseconds after this one ends. */
  readonly leaseMs: number
  /** The longest time to wait for the store. */
  readonly timeoutMs: number
  /** The time from one renewal to the next. */
  readonly everyMs: () => number
  /** Called after each renewal with the store's answer, or undefined if the store did not answer in time. */
  readonly onRenewal: (status: LeaseStatus | undefined, signal: AbortSignal) => Promise<void> | void
}

/** Keeps a lease among the instances that share a store. Without an answer from the store, the lease lasts until it expires. */
export function keepLease(options: LeaseOptions) {
  const { leases, lease, leaseMs, timeoutMs, everyMs, onRenewal } = options
  let heldUntil = Number.NEGATIVE_INFINITY
  const isHeld = () => performance.now() < heldUntil
  const soon = <T>(promised: Promise<T>): Promise<T> =>
    within(timeoutMs, promised, () => new Error('the store does not respond'))

  const renewals = repeat(async signal => {
    const requestedAt = performance.now()
    const status = await soon(leases.acquireLease(lease, leaseMs)).catch(() => undefined)
    if (status !== undefined) heldUntil = status.leading ? requestedAt + leaseMs : Number.NEGATIVE_INFINITY
    if (!signal.aborted) await onRenewal(status, signal)
  }, everyMs)

  return {
    /** Whether this instance holds the lease now. */
    isHeld,
    /** Acquires the lease and keeps renewing it; resolves after the first answer. */
    start: renewals.start,
    /** Renews the lease now. */
    renew: renewals.once,
    /** Settles like the request to the store, or rejects if the store does not respond in time. */
    soon,
    /** Stops renewing, and releases the lease after `before`. Waits for the store up to the time limit. Never rejects. */
    async stop(before?: () => Promise<void>): Promise<void> {
      const leave = async () => {
        // A running renewal could acquire the lease again after its release.
        await renewals.stop()
        await before?.()
        if (isHeld()) await leases.releaseLease(lease)
      }
      await soon(leave()).catch(() => undefined)
      heldUntil = Number.NEGATIVE_INFINITY
    },
  }
}
