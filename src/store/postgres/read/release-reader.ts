import { StoreUnusableError } from '../../store.ts'
import type { Connections, Servers } from '../connect/connections.ts'
import { endsConnection, isDamage, isTransient } from '../connect/faults.ts'
import type { Rows, Server } from '../connect/server.ts'
import type { Topology } from '../connect/topology.ts'

/** How often a server without a release is asked for it again, while the primary is available. */
const LOOK_EVERY_MS = 250
/** The number of attempts for a transient error. */
const ROUNDS = 2

/**
 * Returns connections for single statements on one release: from the replicas, in their order, and then from the
 * primary. A standby that has not applied the publication yet may have half of the content, and is skipped. Only the
 * primary can prove that anything is missing.
 */
export function releaseReader({ primary, replicas: reads }: Topology, name: string): Connections {
  const entered = new WeakSet<object>()
  const lookedAt = new WeakMap<Server, number>()

  async function has(server: Server): Promise<boolean> {
    if (entered.has(server.session())) return true
    const now = performance.now()
    const lookedMs = now - (lookedAt.get(server) ?? Number.NEGATIVE_INFINITY)
    if (lookedMs < LOOK_EVERY_MS && primary.usable().length > 0) return false
    const { schema } = primary.target
    // A pruned release has a row as long as its content remains.
    const { rows } = await askOnce(server, `select 1 from "${schema}".release_files where name = $1`, [name])
    if (rows.length > 0) entered.add(server.session())
    else lookedAt.set(server, now)
    return rows.length > 0
  }

  async function ask(text: string, values: readonly unknown[] = []): Promise<Rows> {
    let failure: unknown
    for (let round = 0; round < ROUNDS; round++)
      for (const servers of [reads, primary])
        for (const server of servers?.usable() ?? [])
          try {
            if (servers === primary || (await has(server))) return await askOnce(server, text, values)
          } catch (error) {
            const isBehind = servers !== primary && isDamage(error)
            if (!isBehind && !isTransient(error)) throw error
            if (!isBehind) failure ??= error
          }
    throw failure ?? notToBeHad(primary)
  }

  const asking = { query: ask, release() {} }
  return { connect: async () => asking }
}

async function askOnce(server: Server, text: string, values: readonly unknown[]): Promise<Rows> {
  const lent = await server.acquire('reading')
  let isBroken = false
  try {
    return await lent.query(text, values)
  } catch (error) {
    isBroken = endsConnection(error)
    throw error
  } finally {
    lent.release(isBroken)
  }
}

const notToBeHad = (primary: Servers): unknown =>
  primary.unavailable()?.reason ?? new StoreUnusableError('no reachable server has the release yet')
