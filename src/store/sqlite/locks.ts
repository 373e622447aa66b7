import type { Lease, Leases } from '../coordination.ts'
import { waitForLock } from '../registry/writer.ts'
import type { StageOptions } from '../store.ts'
import { type Database, openDatabase } from './driver.ts'
import { isBusy, toStoreError } from './faults.ts'
import { leasePath, lockPath } from './folder.ts'

/**
 * Acquires the lock on writing releases in a folder; the returned function releases it. The operating system holds the lock,
 * so it always ends with the process. Throws {@link StoreBusyError} on timeout.
 */
export async function takeWriteLock(folder: string, options: StageOptions = {}): Promise<() => void> {
  const lock = await waitForLock(options, folder, () => tryLock(lockPath(folder)))
  return lock.close
}

/** Locks a file for this process alone until the result is closed; undefined if another process has the lock. */
export function tryLock(path: string): Database | undefined {
  let database: Database | undefined
  try {
    database = openDatabase(path)
    database.exec('pragma busy_timeout = 0; begin exclusive')
    return database
  } catch (error) {
    database?.close()
    if (isBusy(error)) return undefined
    throw toStoreError(error, path)
  }
}

/**
 * Grants leases to the processes that share a folder. A lease is a lock of the operating system, so it always ends with its
 * process and needs no clock.
 */
export function createLeases(folder: string): Leases & { releaseAll(): void } {
  const held = new Map<Lease, Database>()

  function release(lease: Lease): void {
    held.get(lease)?.close()
    held.delete(lease)
  }

  return {
    async acquireLease(lease) {
      const lock = held.get(lease) ?? tryLock(leasePath(folder, lease))
      if (lock !== undefined) held.set(lease, lock)
      return { leading: lock !== undefined, led: true, number: 0 }
    },
    releaseLease: async lease => release(lease),
    releaseAll() {
      for (const lease of held.keys()) release(lease)
    },
  }
}
