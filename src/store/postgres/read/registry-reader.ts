import { sql } from 'kysely'
import { StoreUnusableError } from '../../store.ts'
import { connectionsTo } from '../connect/connections.ts'
import { toStoreError } from '../connect/faults.ts'
import type { Topology } from '../connect/replicas.ts'
import type { Server } from '../connect/server.ts'
import { type Registry, registryOver } from '../registry.ts'

/** Reads the published and current releases. */
export interface RegistryReader {
  /** A number that differs whenever any current release does. */
  revision(): Promise<number>
  ask<T>(query: (registry: Registry) => Promise<T>): Promise<T>
}

/**
 * Reads from the primary, and from replicas only while it is unavailable. A standby may lag: it is rejected if its
 * revision is older than one seen before, so that no instance ever goes back to an older release because of it.
 */
export function readRegistry({ primary, replicas: reads }: Topology): RegistryReader {
  const registries = new WeakMap<Server, Registry>()
  /** Sessions whose servers turned out not to be standbys, which is permanent. */
  const primaries = new WeakSet<object>()
  let seen = 0

  function registryOf(server: Server, { target }: { target: Topology['primary']['target'] }): Registry {
    const known = registries.get(server)
    if (known !== undefined) return known
    const registry = registryOver(connectionsTo(server, 'reading'), target)
    registries.set(server, registry)
    return registry
  }

  /** The revision that a server has. Throws {@link StoreUnusableError} for a standby behind a revision seen before. */
  async function revisionOf(server: Server, registry: Registry, shown: string): Promise<number> {
    const { revision, standby } = await registry
      .selectFrom('state')
      .select(['revision', sql<boolean>`pg_is_in_recovery()`.as('standby')])
      .executeTakeFirstOrThrow()
    if (!standby) primaries.add(server.session())
    else if (revision < seen)
      throw new StoreUnusableError(`${shown} is a standby that is behind what is known: it is not asked`)
    seen = revision
    return revision
  }

  async function askEach<T>(
    query: (registry: Registry, server: Server, shown: string) => Promise<T>,
  ): Promise<T> {
    let failure: unknown
    for (const servers of [primary, reads])
      for (const server of servers?.usable() ?? []) {
        try {
          const { target } = servers ?? primary
          return await query(registryOf(server, { target }), server, target.shown)
        } catch (error) {
          if (!(error instanceof StoreUnusableError)) throw error
          failure ??= error
        }
      }
    throw failure ?? toStoreError(primary.unavailable()?.reason, primary.target)
  }

  return {
    revision: () => askEach((registry, server, shown) => revisionOf(server, registry, shown)),
    ask: query =>
      askEach(async (registry, server, shown) => {
        if (!primaries.has(server.session())) await revisionOf(server, registry, shown)
        return query(registry)
      }),
  }
}
