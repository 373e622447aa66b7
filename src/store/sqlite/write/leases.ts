import type { Lease, Leases } from '../../coordination.ts'
import type { Database } from '../driver.ts'
import { leasePath } from '../paths.ts'
import { tryLock } from './write-lock.ts'

/** Leases that can be released together. */
export interface OpenLeases extends Leases {
  close(): void
}

/**
 * Grants leases to the processes that share a folder. Each is a lock of the operating system, so it ends with its process
 * in any case, and needs no clock.
 */
export function createLeases(folder: string): OpenLeases {
  const held = new Map<Lease, Database>()

  function release(lease: Lease): void {
    held.get(lease)?.close()
    held.delete(lease)
  }

  return {
    async acquireLease(lease) {
      const lock = held.get(lease) ?? tryLock(leasePath(folder, lease))
      if (lock !== undefined) held.set(lease, lock)
      return { leading: lock !== undefined }
    },
    releaseLease: async lease => release(lease),
    close() {
      for (const lease of held.keys()) release(lease)
    },
  }
}
