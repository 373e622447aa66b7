import { Pool, type PoolClient } from 'pg'
import { StoreBusyError } from '../store.ts'
import type { Target } from './address.ts'
import { clientConfig } from './client.ts'
import { deferred } from './deferred.ts'
import { type Attempt, attempts, checkRole } from './session-role.ts'

/** A connection lent out. */
export type Lent = Pick<PoolClient, 'query' | 'release'>

/** Connections that are lent out one at a time. */
export interface Connections {
  connect(): Promise<Lent>
  end(): Promise<void>
}

export interface Purpose {
  /** Nothing can be written over these connections. */
  readonly readOnly: boolean
  /** At most so many at once. */
  readonly size: number
}

/** A statement of a request, or of keeping a reading, that takes longer is broken off, by the server or by this side. */
const STATEMENT_MS = 10_000
const SILENCE_MS = 12_000
/** Opening another takes longer than a request may, so one that nobody uses stays for a while. */
const IDLE_MS = 60_000
/** Whoever comes while all connections are lent out waits so long for one. */
const PATIENCE_MS = 500

/** Opens connections as they are needed, to the first host that will do: that which did last is tried first. */
export function openConnections(target: Target, { readOnly, size }: Purpose): Connections {
  const settings = {
    statement_timeout: STATEMENT_MS,
    ...(readOnly && { default_transaction_read_only: 'on' }),
  }
  let pools = attempts(target).map(attempt => openPool(target, attempt, settings, size))
  return {
    async connect() {
      let failure: unknown
      for (const pool of pools) {
        try {
          const client = await lent(pool, target.shown)
          if (pool !== pools[0]) pools = [pool, ...pools.filter(other => other !== pool)]
          return client
        } catch (error) {
          if (error instanceof StoreBusyError) throw error
          failure ??= error
        }
      }
      throw failure
    },
    async end() {
      await Promise.all(pools.map(pool => pool.end()))
    },
  }
}

function openPool(
  target: Target,
  attempt: Attempt,
  settings: Readonly<Record<string, string | number>>,
  size: number,
): Pool {
  const pool = new Pool({
    ...clientConfig(target, attempt, settings),
    query_timeout: SILENCE_MS,
    idleTimeoutMillis: IDLE_MS,
    max: size,
    onConnect: client => checkRole(client, attempt.role),
  })
  // Without listeners, a connection that is lost would end the process; the pool opens another.
  pool.on('error', () => {})
  pool.on('connect', client => client.on('error', () => {}))
  return pool
}

/** A connection of the pool. Throws {@link StoreBusyError} where all are lent out and none comes back soon. */
async function lent(pool: Pool, shown: string): Promise<PoolClient> {
  const coming = pool.connect()
  // None waits where another can be opened.
  if (pool.waitingCount === 0) return coming
  const patience = deferred()
  const timer = setTimeout(patience.resolve, PATIENCE_MS)
  try {
    const client = await Promise.race([coming, patience.promise])
    if (client !== undefined) return client
  } finally {
    clearTimeout(timer)
  }
  coming.then(
    client => client.release(),
    () => {},
  )
  throw new StoreBusyError(`all ${pool.options.max} connections to ${shown} are in use: try again`)
}
