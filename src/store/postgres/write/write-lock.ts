import type { Client } from 'pg'
import type { StageOptions } from '../../release-store.ts'
import { waitForLock } from '../../staging.ts'
import { StoreBusyError } from '../../store-errors.ts'
import type { Target } from '../connect/address.ts'
import { connectAlone } from '../connect/client.ts'
import { toStoreError } from '../connect/faults.ts'
import { lockKey, RELEASES } from '../coordinate/locks.ts'

/** The lock on writing releases, and the connection that holds it. */
export interface WriteLock {
  readonly client: Client
  release(): Promise<void>
}

/**
 * Acquires the lock on writing releases. It belongs to the connection, so it ends with the process in any case. Throws
 * {@link StoreBusyError} on timeout.
 */
export async function takeWriteLock(target: Target, options: StageOptions = {}): Promise<WriteLock> {
  const key = lockKey(RELEASES, target.schema)
  const busy = () =>
    new StoreBusyError(
      `another import or rollback is writing to ${target.shown}: try again when it has ended`,
    )
  const client = await connectAlone(target).catch((error: unknown) => {
    throw toStoreError(error, target)
  })
  async function tryLock(): Promise<Client | undefined> {
    const { rows } = await client.query('select pg_try_advisory_lock($1, $2) as taken', key)
    return rows[0]?.taken ? client : undefined
  }
  try {
    await waitForLock(options, tryLock, busy)
  } catch (error) {
    await client.end().catch(() => undefined)
    throw toStoreError(error, target)
  }
  return {
    client,
    async release() {
      // Ending the connection releases it as well, but a little later.
      await client.query('select pg_advisory_unlock($1, $2)', key).catch(() => undefined)
      await client.end().catch(() => undefined)
    },
  }
}
