import { sql } from 'kysely'
import { StoreUnusableError } from '../../store.ts'
import { connectionsTo } from '../connect/connections.ts'
import { toStoreError } from '../connect/faults.ts'
import type { Topology } from '../connect/replicas.ts'
import type { Server } from '../connect/server.ts'
import { type Registry, registryOver } from '../registry.ts'

/** Asks what is published and what is kept. */
export interface RegistryReader {
  /** A number that differs whenever what is current does. */
  revision(): Promise<number>
  ask<T>(question: (registry: Registry) => Promise<T>): Promise<T>
}

/**
 * Asks the primary, and those that are read from only while it is away. A standby may be behind: it is not believed
 * where it knows less of what is current than was known before, so nothing ever goes back because of it.
 */
export function readRegistry({ primary, replicas: reads }: Topology): RegistryReader {
  const registries = new WeakMap<Server, Registry>()
  /** Sessions with servers that were found to be no standbys, and so will never be. */
  const primaries = new WeakSet<object>()
  let seen = 0

  function registryOf(server: Server, { target }: { target: Topology['primary']['target'] }): Registry {
    const known = registries.get(server)
    if (known !== undefined) return known
    const registry = registryOver(connectionsTo(server, 'reading'), target)
    registries.set(server, registry)
    return registry
  }

  /** The revision that a server knows. Throws {@link StoreUnusableError} where another was known before. */
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
    question: (registry: Registry, server: Server, shown: string) => Promise<T>,
  ): Promise<T> {
    let failure: unknown
    for (const servers of [primary, reads])
      for (const server of servers?.usable() ?? []) {
        try {
          const { target } = servers ?? primary
          return await question(registryOf(server, { target }), server, target.shown)
        } catch (error) {
          if (!(error instanceof StoreUnusableError)) throw error
          failure ??= error
        }
      }
    throw failure ?? toStoreError(primary.unavailable()?.reason, primary.target)
  }

  return {
    revision: () => askEach((registry, server, shown) => revisionOf(server, registry, shown)),
    ask: question =>
      askEach(async (registry, server, shown) => {
        if (!primaries.has(server.session())) await revisionOf(server, registry, shown)
        return question(registry)
      }),
  }
}
