import { sql } from 'kysely'
import type { StoreEngine } from '../engine.ts'
import type { Registry } from '../registry/tables.ts'
import { StoreUnusableError } from '../store.ts'
import type { Server, Servers } from './connect/connections.ts'
import { isDamage } from './connect/faults.ts'
import { registryOver } from './connect/session.ts'

/** Starts a writing transaction: connections of a pool are read-only otherwise. */
export const writing = (registry: Registry) => registry.transaction().setAccessMode('read write')

/**
 * Reads from the primary, and from the reader only while the primary is unavailable. A standby may lag. A standby with a
 * revision older than one seen before is rejected, so that no instance ever goes back to an older release.
 */
export function readRegistry({ primary, reader }: Servers): Pick<StoreEngine, 'read' | 'revision'> {
  let seen = 0

  /** The revision on a server. Throws {@link StoreUnusableError} for a standby behind a revision seen before. */
  async function revisionOf(registry: Registry, shown: string): Promise<number> {
    const { revision, standby } = await registry
      .selectFrom('state')
      .select(['revision', sql<boolean>`pg_is_in_recovery()`.as('standby')])
      .executeTakeFirstOrThrow()
    if (standby && revision < seen)
      throw new StoreUnusableError(
        `${shown} is a standby that lags behind the known revision: it is not used`,
      )
    seen = revision
    return revision
  }

  /** Reads the revision over the query's own connection: another connection may lead to another standby. */
  const readAt = <T>(server: Server, query: (registry: Registry, revision: number) => Promise<T>) =>
    registryOver(server, server.target)
      .connection()
      .execute(async registry => query(registry, await revisionOf(registry, server.target.shown)))

  async function read<T>(query: (registry: Registry, revision: number) => Promise<T>): Promise<T> {
    try {
      return await readAt(primary, query)
    } catch (failure) {
      if (!(failure instanceof StoreUnusableError) || reader === undefined) throw failure
      return await readAt(reader, query).catch((error: unknown) => {
        // A reader may lag behind this version's schema.
        throw error instanceof StoreUnusableError || isDamage(error) ? failure : error
      })
    }
  }

  return { revision: () => read(async (_, revision) => revision), read }
}
