import { repeat, within } from '../values/promises.ts'
import type { Lease, LeaseStatus, Leases } from './coordination.ts'

/** The times of a lease, in milliseconds. */
export interface LeaseTiming {
  /** Another instance takes over within this time of the end of this one. */
  readonly leaseMs: number
  /** The longest time to wait for the store. */
  readonly timeoutMs: number
}

export interface LeaseOptions<Status> extends LeaseTiming {
  readonly leases: Pick<Leases, 'releaseLease'> & {
    acquireLease(lease: Lease, forMs: number): Promise<Status>
  }
  readonly lease: Lease
  /** The time from one renewal to the next. */
  readonly everyMs: () => number
  /** Called after each renewal with the store's answer; undefined where the store gave none in time. */
  readonly onRenewal: (status: Status | undefined, signal: AbortSignal) => Promise<void> | void
}

/** Keeps a lease among the instances that share a store. Without an answer of the store it lasts until its end. */
export function keepLease<Status extends Pick<LeaseStatus, 'leading'>>(options: LeaseOptions<Status>) {
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
    /** Whether this instance holds it now. */
    isHeld,
    /** Acquires it, and renews it from then on; resolves after the first answer. */
    start: renewals.start,
    /** Renews it now. */
    renew: renewals.once,
    /** Settles as a request to the store does, or rejects where the store does not respond in time. */
    soon,
    /** Renews it no more, and releases it after `before`. Waits for the store no longer than for an answer. Never rejects. */
    async stop(before?: () => Promise<void>): Promise<void> {
      const leave = async () => {
        // A renewal under way could take the lease again after its release.
        await renewals.stop()
        await before?.()
        if (isHeld()) await leases.releaseLease(lease)
      }
      await soon(leave()).catch(() => undefined)
      heldUntil = Number.NEGATIVE_INFINITY
    },
  }
}
