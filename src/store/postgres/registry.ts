import { sql } from 'kysely'
import type { ReleaseEngine } from '../registry/release-store.ts'
import type { Registry, RegistryTables } from '../registry/tables.ts'
import { StoreUnusableError } from '../store.ts'
import type { Target } from './connect/address.ts'
import type { Connections } from './connect/connections.ts'
import { kyselyOver } from './connect/dialect.ts'
import { isDamage, toStoreError } from './connect/faults.ts'
import type { Servers } from './connect/servers.ts'

/** The registry over these connections. */
export function registryOver(connections: Connections, target: Target): Registry {
  const database = kyselyOver<RegistryTables>(connections, error => toStoreError(error, target))
  return database.withSchema(target.schema)
}

/** Starts a transaction that may write; connections of a pool may not without it. */
export const writing = (registry: Registry) => registry.transaction().setAccessMode('read write')

/**
 * Reads from the primary, and from the reader only while it is unavailable. A standby may lag: it is rejected if its
 * revision is older than one seen before, so that no instance ever goes back to an older release because of it.
 */
export function readRegistry({ primary, reader }: Servers): Pick<ReleaseEngine, 'read' | 'revision'> {
  let seen = 0

  /** The revision that a server has. Throws {@link StoreUnusableError} for a standby behind a revision seen before. */
  async function revisionOf(registry: Registry, { shown }: Target): Promise<number> {
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

  /** The revision and the query are of one connection: another may lead to another standby. */
  async function readAt<T>(query: (registry: Registry, revision: number) => Promise<T>): Promise<T> {
    let failure: unknown
    for (const server of [primary, reader])
      try {
        if (server !== undefined)
          return await registryOver(server, server.target)
            .connection()
            .execute(async registry => query(registry, await revisionOf(registry, server.target)))
      } catch (error) {
        // A reader may lag behind this version's schema.
        const mayBeElsewhere = error instanceof StoreUnusableError || (server === reader && isDamage(error))
        if (!mayBeElsewhere) throw error
        failure ??= error
      }
    throw failure
  }

  return { revision: () => readAt(async (_, revision) => revision), read: query => readAt(query) }
}
