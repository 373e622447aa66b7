import { DamagedReleaseError } from '../../store/store.ts'
import type { MaybePromise } from '../../values/promises.ts'
import type { Snapshot } from './snapshot.ts'

/** The right to read from one snapshot, whatever is published meanwhile. */
export interface Lease {
  readonly snapshot: Snapshot
  /** Aborts with {@link LeaseRevokedError} when the lease is revoked: the release is being closed. */
  readonly signal: AbortSignal
  /** Ends the lease; a second call does nothing. */
  release(): void
  /** Reports that reading the release failed because it is damaged. */
  reportDamage(error: DamagedReleaseError): void
}

/** A lease was revoked: its release was superseded too long ago, or too many superseded releases were open. */
export class LeaseRevokedError extends Error {
  override name = 'LeaseRevokedError'
}

/** A release that is or was current, with the leases on it. */
export interface LeasedRelease {
  readonly snapshot: Snapshot
  acquire(): Lease
  /** Releases the service's own lease: the release closes when its last reader's lease ends. */
  supersede(): void
  /** As {@link supersede}, and revokes all leases: what they still read may be wrong. */
  revoke(why: string): void
}

/** The releases of all datasets that are read; each is forgotten when its last lease ends, and its memory is free. */
export interface Leases {
  /**
   * Adds a release under the service's own lease; `onDamage` is called for each reading that failed because the release is
   * damaged.
   */
  add(snapshot: Snapshot, onDamage?: (error: DamagedReleaseError) => void): LeasedRelease
  /** Leases held by readers, and releases open, of one dataset. */
  counts(dataset: string): { readonly held: number; readonly open: number }
  /** Revokes all leases. */
  end(): void
}

/** Bounds on superseded releases that leases keep open. A lease on the current release costs nothing. */
export interface LeaseBounds {
  /** The longest time for which a release stays open after it was superseded. */
  readonly maxAgeMs?: number
  readonly perDataset?: number
  readonly perProcess?: number
}

const HOUR_MS = 3_600_000
/** A release in memory may take gigabytes. */
const PER_DATASET = 3
const PER_PROCESS = 8

interface Entry {
  readonly snapshot: Snapshot
  readonly leases: Set<{ revoke(reason: LeaseRevokedError): void }>
  isSuperseded: boolean
  expiry?: NodeJS.Timeout
}

/** Counts leases. Where more superseded releases are open than the bounds allow, the oldest one's leases are revoked. */
export function createLeases(bounds: LeaseBounds = {}): Leases {
  const { maxAgeMs = HOUR_MS, perDataset = PER_DATASET, perProcess = PER_PROCESS } = bounds
  /** In the order in which they were superseded, the current ones last. */
  const entries = new Set<Entry>()

  function closeIfUnused(entry: Entry): void {
    if (!entry.isSuperseded || entry.leases.size > 0 || !entries.delete(entry)) return
    clearTimeout(entry.expiry)
  }

  function revokeAll(entry: Entry, why: string): void {
    const { dataset, number } = entry.snapshot.release
    const reason = new LeaseRevokedError(`release ${number} of ${dataset} is closed: ${why}`)
    for (const lease of entry.leases) lease.revoke(reason)
    closeIfUnused(entry)
  }

  function supersede(entry: Entry): void {
    if (entry.isSuperseded) return
    entry.isSuperseded = true
    // Re-inserted: the set is ordered by the time of superseding.
    entries.delete(entry)
    entries.add(entry)
    closeIfUnused(entry)
    if (!entries.has(entry)) return
    entry.expiry = setTimeout(() => revokeAll(entry, 'a newer one has been current for too long'), maxAgeMs)
    entry.expiry.unref()
    const open = [...entries].filter(({ isSuperseded }) => isSuperseded)
    const { dataset } = entry.snapshot.release
    const ofDataset = open.filter(({ snapshot }) => snapshot.release.dataset === dataset)
    const surplus =
      ofDataset.length > perDataset ? ofDataset[0] : open.length > perProcess ? open[0] : undefined
    if (surplus !== undefined) revokeAll(surplus, 'too many superseded releases are open')
  }

  return {
    add(snapshot, onDamage = () => {}) {
      const entry: Entry = { snapshot, leases: new Set(), isSuperseded: false }
      entries.add(entry)
      return {
        snapshot,
        supersede: () => supersede(entry),
        revoke(why) {
          supersede(entry)
          revokeAll(entry, why)
        },
        acquire() {
          let controller: AbortController | undefined
          let revoked: LeaseRevokedError | undefined
          const end = () => entry.leases.delete(lease)
          const lease = {
            revoke(reason: LeaseRevokedError) {
              end()
              revoked = reason
              controller?.abort(reason)
            },
          }
          entry.leases.add(lease)
          return {
            snapshot,
            // Created on first use: most leases end within a request.
            get signal() {
              controller ??= new AbortController()
              if (revoked !== undefined) controller.abort(revoked)
              return controller.signal
            },
            release() {
              if (end()) closeIfUnused(entry)
            },
            reportDamage: onDamage,
          }
        },
      }
    },
    counts(dataset) {
      const open = [...entries].filter(({ snapshot }) => snapshot.release.dataset === dataset)
      return { open: open.length, held: open.reduce((sum, { leases }) => sum + leases.size, 0) }
    },
    end() {
      for (const entry of [...entries]) {
        entry.isSuperseded = true
        revokeAll(entry, 'the service is stopping')
      }
    },
  }
}

/** Reads from a snapshot and then ends the lease. Throws {@link LeaseRevokedError} if it was revoked. */
export function readUnder<T>(lease: Lease, read: (snapshot: Snapshot) => MaybePromise<T>): MaybePromise<T> {
  let result: MaybePromise<T>
  try {
    result = read(lease.snapshot)
  } catch (error) {
    lease.release()
    throw error
  }
  if (!(result instanceof Promise)) {
    lease.release()
    return result
  }
  return result.catch((error: unknown) => throwReason(lease, error)).finally(() => lease.release())
}

/** What a stream reads. */
export interface Chunks {
  readonly chunks: AsyncIterable<Uint8Array>
}

export type LeasedStream<T> = T & { close(): void }

/** Opens a stream under a lease, which ends when the stream is closed. If the lease is revoked, reading fails. */
export async function streamUnder<T extends Chunks>(
  lease: Lease,
  open: (snapshot: Snapshot) => MaybePromise<T>,
): Promise<LeasedStream<T>> {
  try {
    const stream = await open(lease.snapshot)
    return { ...stream, chunks: unlessRevoked(lease, stream.chunks), close: () => lease.release() }
  } catch (error) {
    lease.release()
    return throwReason(lease, error)
  }
}

async function* unlessRevoked(lease: Lease, chunks: AsyncIterable<Uint8Array>) {
  const { signal } = lease
  try {
    for await (const chunk of chunks) {
      signal.throwIfAborted()
      yield chunk
    }
  } catch (error) {
    throwReason(lease, error)
  }
}

/** Throws why a reading failed: the revocation of its lease, else the error, which is reported if it shows damage. */
function throwReason(lease: Lease, error: unknown): never {
  lease.signal.throwIfAborted()
  if (error instanceof DamagedReleaseError) lease.reportDamage(error)
  throw error
}
