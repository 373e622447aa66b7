import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from 'pg'
import { StoreBusyError } from '../../store.ts'
import type { Target } from '../connect/address.ts'
import { connectAlone } from '../connect/client.ts'
import { explain } from '../connect/faults.ts'
import { lockKey, RELEASES } from '../coordinate/locks.ts'

export interface Waiting {
  /** Waits so long for the lock; 0 = not at all. */
  readonly waitMs?: number
  /** Called once as the waiting starts. */
  readonly onWait?: () => void
}

/** The right to write releases, and the connection that has it. */
export interface WriteLock {
  readonly client: Client
  release(): Promise<void>
}

const POLL_MS = 50

/**
 * Takes the right to write releases, of which there is one among all processes. It is a lock of the connection, so it
 * goes with its process however that ends. Throws {@link StoreBusyError} if it cannot be had in time.
 */
export async function takeWriteLock(
  target: Target,
  { waitMs = 0, onWait }: Waiting = {},
): Promise<WriteLock> {
  const deadline = performance.now() + waitMs
  const key = lockKey(RELEASES, target.schema)
  let client: Client | undefined
  try {
    client = await connectAlone(target)
    for (let told = false; ; ) {
      const { rows } = await client.query('select pg_try_advisory_lock($1, $2) as taken', key)
      if (rows[0]?.taken) break
      const left = deadline - performance.now()
      if (left <= 0)
        throw new StoreBusyError(
          `another import or rollback is writing to ${target.shown}: try again when it has ended`,
        )
      if (!told) onWait?.()
      told = true
      await pause(Math.min(POLL_MS, left))
    }
  } catch (error) {
    await client?.end().catch(() => undefined)
    throw explain(error, target)
  }
  const holder = client
  return {
    client: holder,
    async release() {
      // Ending the connection hands it back as well, but a little later.
      await holder.query('select pg_advisory_unlock($1, $2)', key).catch(() => undefined)
      await holder.end().catch(() => undefined)
    },
  }
}
