import type { Client, PoolClient, QueryResult } from 'pg'
import { within } from '../../../values/promises.ts'
import { StoreBusyError } from '../../store.ts'
import type { Host, Target } from './address.ts'
import { sqlState } from './faults.ts'
import { createHeartbeat } from './heartbeat.ts'
import { type ConnectionPool, openPool, type Purpose } from './pool.ts'
import { type Attempt, WrongRoleError } from './session-role.ts'
import { watchSlowQueries } from './slow-query-watchdog.ts'

/** A connection acquired from the pool. */
export interface PooledConnection {
  query(text: string, values?: readonly unknown[]): Promise<Rows>
  /** Returns it to the pool; a broken one is closed. */
  release(isBroken?: boolean): void
}

export type Rows = Pick<QueryResult, 'command' | 'rowCount' | 'rows'>

/** Since when and why a server is unavailable. */
export interface Unavailable {
  readonly since: Date
  readonly reason: unknown
}

/** One server, which reconnects after an outage. */
export interface Server {
  readonly host: Host
  /** Acquires a connection within a bounded time, or throws why not; at once where the server is known to be unavailable. */
  acquire(purpose: Purpose): Promise<PooledConnection>
  /** Undefined while the server is available, or before the first attempt. */
  unavailable(): Unavailable | undefined
  /** The same object until the next outage. */
  session(): object
  /** Reconnects soon instead of waiting for the back-off. */
  retryNow(): void
  end(): Promise<void>
}

export type ServerCheck = (client: Client) => Promise<void>

/** A query slower than this starts a health check; both together leave a request time to answer within a second. */
const SLOW_MS = 200
const FIRST_RETRY_MS = 100
const LONGEST_RETRY_MS = 800
/** A server of another role usually keeps it for long. */
const OTHER_ROLE_RETRY_MS = 5000
/** After this time without a failure the back-off restarts from its shortest delay. */
const SOUND_AFTER_MS = 10_000

/**
 * Watches a server and pools connections to it. A slow query and a frozen server look alike, so a slow query starts a
 * health check. If that fails, the server counts as unavailable: every connection is cut, new requests fail at once, and it
 * reconnects with back-off. `check` throws where the server is not usable.
 */
export function openServer(target: Target, attempt: Attempt, check?: ServerCheck): Server {
  const pools = new Map<Purpose, ConnectionPool>()
  const heartbeat = createHeartbeat(target, attempt, { check, onLost: findAgain })
  const waits = watchSlowQueries(SLOW_MS, checkHeartbeat)
  let session: object | undefined
  let outage: Unavailable | undefined
  let changedAt = Number.NEGATIVE_INFINITY
  let retryMs = 0
  let retryAt = 0
  let retry: NodeJS.Timeout | undefined
  let isChecking = false
  let ended = false

  function markUnavailable(reason: unknown): void {
    if (outage !== undefined || ended) return
    outage = { since: new Date(), reason }
    session = undefined
    const wasSound = performance.now() - changedAt >= SOUND_AFTER_MS
    retryMs = wasSound ? 0 : Math.max(retryMs, FIRST_RETRY_MS)
    changedAt = performance.now()
    heartbeat.close()
    for (const pool of pools.values()) pool.cut(reason)
    pools.clear()
    tryIn(retryMs)
  }

  function tryIn(milliseconds: number): void {
    clearTimeout(retry)
    retryAt = performance.now() + milliseconds
    retry = setTimeout(reconnect, milliseconds)
    retry.unref()
  }

  async function reconnect(): Promise<void> {
    try {
      await heartbeat.open()
      session = {}
      outage = undefined
      changedAt = performance.now()
    } catch (reason) {
      if (ended || outage === undefined) return
      outage = { ...outage, reason }
      const longest = reason instanceof WrongRoleError ? OTHER_ROLE_RETRY_MS : LONGEST_RETRY_MS
      retryMs = Math.min(Math.max(2 * retryMs, FIRST_RETRY_MS), longest)
      tryIn(retryMs)
    }
  }

  function checkHeartbeat(): void {
    if (isChecking || outage !== undefined || ended) return
    isChecking = true
    void within(target.healthCheckMs, heartbeat.check(), noHeartbeat)
      .catch(markUnavailable)
      .finally(() => {
        isChecking = false
      })
  }

  /** After the heartbeat connection is lost, the server is unavailable unless another opens. */
  function findAgain(): void {
    if (outage !== undefined || ended) return
    heartbeat.open().then(() => {
      // Another connection may have replaced it meanwhile.
      session = {}
    }, markUnavailable)
  }

  function poolFor(purpose: Purpose): ConnectionPool {
    const known = pools.get(purpose)
    if (known !== undefined) return known
    const pool = openPool(target, attempt, purpose)
    pools.set(purpose, pool)
    return pool
  }

  async function acquireNow(purpose: Purpose): Promise<PooledConnection> {
    if (outage !== undefined) throw outage.reason
    if (ended) throw new Error('Client was closed')
    try {
      if (session === undefined) {
        await heartbeat.open()
        session ??= {}
      }
      const client = await poolFor(purpose).acquire()
      return {
        query: (text, values) => waits.watch(queryRows(client, text, values)),
        release: isBroken => client.release(isBroken),
      }
    } catch (error) {
      if (isServerFault(error)) markUnavailable(error)
      throw error
    }
  }

  return {
    host: attempt,
    acquire: purpose => (outage === undefined ? waits.watch(acquireNow(purpose)) : acquireNow(purpose)),
    unavailable: () => outage,
    session: () => session ?? heartbeat,
    retryNow() {
      if (outage !== undefined && retryAt - performance.now() > LONGEST_RETRY_MS) tryIn(FIRST_RETRY_MS)
    },
    async end() {
      ended = true
      clearTimeout(retry)
      await Promise.all([...pools.values()].map(pool => pool.end()))
      heartbeat.close()
    },
  }
}

/**
 * Takes the rows out of the driver's result. The garbage collector keeps the driver's results longer than the rows are
 * needed, which would add some 40 MB to a long stream.
 */
async function queryRows(client: PoolClient, text: string, values: readonly unknown[] = []): Promise<Rows> {
  const result = await client.query(text, [...values])
  const { command, rowCount, rows } = result
  result.rows = []
  return { command, rowCount, rows }
}

const noHeartbeat = () => new Error('timeout: the server did not answer the health check')

/** Whether the server is at fault, and not a lack of connections. */
const isServerFault = (error: unknown): boolean =>
  !(error instanceof StoreBusyError) && !sqlState(error)?.startsWith('53')
