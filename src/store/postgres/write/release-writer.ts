import type { Client } from 'pg'
import { type ReleaseWriter, waitForLock } from '../../registry/writer.ts'
import { type StageOptions, StoreBusyError } from '../../store.ts'
import type { Target } from '../connect/address.ts'
import { connectAlone } from '../connect/client.ts'
import { kyselyOver, singleConnection } from '../connect/dialect.ts'
import { toReadError, toStoreError } from '../connect/faults.ts'
import { notify } from '../coordinate/coordination.ts'
import { lockKey, RELEASES } from '../coordinate/locks.ts'
import { verifyRows } from '../read/open-release.ts'
import { registryOver } from '../registry.ts'
import type { Retrying } from './conflicts.ts'
import { startRelease } from './release-builder.ts'
import { dropLeftovers } from './release-tables.ts'

/**
 * Acquires the lock on writing releases. It belongs to a connection, over which everything is written, so it ends with
 * the process in any case, and without it nothing can be published. Throws {@link StoreBusyError} on timeout.
 */
export async function openReleaseWriter(
  target: Target,
  retrying: Retrying,
  options: StageOptions,
): Promise<ReleaseWriter> {
  const { schema } = target
  const client = await connectAlone(target).catch((error: unknown) => {
    throw toStoreError(error, target)
  })
  const key = lockKey(RELEASES, schema)
  const busy = () =>
    new StoreBusyError(
      `another import or rollback is writing to ${target.shown}: try again when it has ended`,
    )
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

  const connection = singleConnection(client)
  const registry = registryOver(connection, target)
  return {
    registry,
    write: work =>
      retrying(() =>
        registry.transaction().execute(async transaction => {
          const done = await work(transaction)
          await notify(transaction, schema, 'releases')
          return done
        }),
      ),
    startRelease: (_dataset, layout) => startRelease(target, client, registry, layout),
    verify: kept =>
      verifyRows(
        kyselyOver(connection, error => toReadError(error, target)),
        schema,
        kept,
      ),
    removeLeftovers: () => dropLeftovers(registry, schema),
    toStoreError: error => toStoreError(error, target),
    async unlock() {
      // Ending the connection releases it as well, but a little later.
      await client.query('select pg_advisory_unlock($1, $2)', key).catch(() => undefined)
      await client.end().catch(() => undefined)
    },
  }
}
