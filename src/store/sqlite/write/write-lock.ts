import { setTimeout as pause } from 'node:timers/promises'
import { StoreBusyError } from '../../store.ts'
import { type Database, openDatabase } from '../driver.ts'
import { BUSY, explain, resultCode } from '../faults.ts'
import { lockPath } from '../paths.ts'

export interface Waiting {
  /** Waits so long for the lock; 0 = not at all. */
  readonly waitMs?: number
  /** Called once as the waiting starts. */
  readonly onWait?: () => void
}

const POLL_MS = 50

/**
 * Takes the right to write releases in a folder, of which there is one among all processes, and gives what hands it
 * back. It is a lock of the operating system, so it goes with its process however that ends.
 * Throws {@link StoreBusyError} if it cannot be had in time.
 */
export async function takeWriteLock(
  folder: string,
  { waitMs = 0, onWait }: Waiting = {},
): Promise<() => void> {
  const path = lockPath(folder)
  const deadline = performance.now() + waitMs
  for (let told = false; ; ) {
    const lock = tryLock(path)
    if (lock !== undefined) return () => lock.close()
    const left = deadline - performance.now()
    if (left <= 0)
      throw new StoreBusyError(
        `another import or rollback is writing to ${folder}: try again when it has ended`,
      )
    if (!told) onWait?.()
    told = true
    await pause(Math.min(POLL_MS, left))
  }
}

function tryLock(path: string): Database | undefined {
  let database: Database | undefined
  try {
    database = openDatabase(path)
    database.exec('pragma busy_timeout = 0; begin exclusive')
    return database
  } catch (error) {
    database?.close()
    if (resultCode(error) === BUSY) return undefined
    throw explain(error, path)
  }
}
