import { sql } from 'kysely'
import type { ReleaseEngine } from '../registry/release-store.ts'
import type { Registry, RegistryTables } from '../registry/tables.ts'
import { StoreUnusableError } from '../store.ts'
import type { Target } from './connect/address.ts'
import { type Connections, connectionsTo } from './connect/connections.ts'
import { kyselyOver } from './connect/dialect.ts'
import { toStoreError } from './connect/faults.ts'
import type { Server } from './connect/server.ts'
import type { Topology } from './connect/topology.ts'

/** The registry over these connections. */
export function registryOver(connections: Connections, target: Target): Registry {
  const database = kyselyOver<RegistryTables>(connections, error => toStoreError(error, target))
  return database.withSchema(target.schema)
}

interface UsableServer {
  readonly registry: Registry
  readonly server: Server
  /** For messages. */
  readonly shown: string
}

/**
 * Reads from the primary, and from replicas only while it is unavailable. A standby may lag: it is rejected if its
 * revision is older than one seen before, so that no instance ever goes back to an older release because of it.
 */
export function readRegistry({ primary, replicas }: Topology): Pick<ReleaseEngine, 'read' | 'revision'> {
  /** Sessions whose servers turned out not to be standbys, which is permanent. */
  const primaries = new WeakSet<object>()
  let seen = 0

  /** The revision that a server has. Throws {@link StoreUnusableError} for a standby behind a revision seen before. */
  async function revisionOf({ registry, server, shown }: UsableServer): Promise<number> {
    const { revision, standby } = await registry
      .selectFrom('state')
      .select(['revision', sql<boolean>`pg_is_in_recovery()`.as('standby')])
      .executeTakeFirstOrThrow()
    if (!standby) primaries.add(server.session())
    else if (revision < seen)
      throw new StoreUnusableError(
        `${shown} is a standby that lags behind the known revision: it is not used`,
      )
    seen = revision
    return revision
  }

  async function queryFirst<T>(query: (usable: UsableServer) => Promise<T>): Promise<T> {
    let failure: unknown
    for (const servers of [primary, replicas])
      for (const server of servers?.usable() ?? []) {
        const { target } = servers ?? primary
        try {
          const registry = registryOver(connectionsTo(server, 'reading'), target)
          return await query({ registry, server, shown: target.shown })
        } catch (error) {
          if (!(error instanceof StoreUnusableError)) throw error
          failure ??= error
        }
      }
    throw failure ?? toStoreError(primary.unavailable()?.reason, primary.target)
  }

  return {
    revision: () => queryFirst(revisionOf),
    read: query =>
      queryFirst(async usable => {
        if (!primaries.has(usable.server.session())) await revisionOf(usable)
        return query(usable.registry)
      }),
  }
}
