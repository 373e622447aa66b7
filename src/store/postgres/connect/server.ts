import type { Client, PoolClient, QueryResult } from 'pg'
import { within } from '../../../values/promises.ts'
import { createRetry } from '../../../values/retry.ts'
import { StoreBusyError } from '../../store.ts'
import type { Host, Target } from './address.ts'
import { type Attempt, WrongRoleError } from './client.ts'
import { sqlState } from './faults.ts'
import { createHeartbeat } from './heartbeat.ts'
import { type ConnectionPool, openPool, type Purpose } from './pool.ts'

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
  /** Reconnects soon, however long the back-off. */
  retrySoon(): void
  end(): Promise<void>
}

export type ServerCheck = (client: Client) => Promise<void>

/** A query slower than this starts a health check; both together leave a request time to answer within a second. */
const SLOW_MS = 200
const FIRST_RETRY_MS = 100
const LONGEST_RETRY_MS = 800
/** A server of another role usually keeps it for long. */
const OTHER_ROLE_RETRY_MS = 5000
const CHECK_FOR_SLOW_EVERY_MS = 50

/**
 * Watches a server and pools connections to it. A slow query and a frozen server look alike, so a slow query starts a
 * health check. If that fails, the server counts as unavailable: every connection is cut, new requests fail at once, and it
 * reconnects with back-off. `check` throws where the server is not usable.
 */
export function openServer(target: Target, attempt: Attempt, check?: ServerCheck): Server {
  const pools = new Map<Purpose, ConnectionPool>()
  const heartbeat = createHeartbeat(target, attempt, { check, onLost: findAgain })
  const ending = new AbortController()
  const retry = createRetry({
    attempt: reconnect,
    firstMs: FIRST_RETRY_MS,
    longestMs: LONGEST_RETRY_MS,
    longestAfter: error => (error instanceof WrongRoleError ? OTHER_ROLE_RETRY_MS : LONGEST_RETRY_MS),
    signal: ending.signal,
  })
  /** What requests wait for, in the order in which they began. */
  const pending = new Set<{ readonly since: number }>()
  let slowCheck: NodeJS.Timeout | undefined
  let session: object | undefined
  let outage: Unavailable | undefined
  let isChecking = false

  /** Settles as the promise does, and starts health checks while it takes long. */
  async function watched<T>(promised: Promise<T>): Promise<T> {
    const wait = { since: performance.now() }
    pending.add(wait)
    slowCheck ??= setInterval(checkIfSlow, CHECK_FOR_SLOW_EVERY_MS).unref()
    try {
      return await promised
    } finally {
      pending.delete(wait)
    }
  }

  function checkIfSlow(): void {
    const [oldest] = pending
    if (oldest === undefined) {
      clearInterval(slowCheck)
      slowCheck = undefined
    } else if (performance.now() - oldest.since >= SLOW_MS) checkHeartbeat()
  }

  function markUnavailable(reason: unknown): void {
    if (outage !== undefined || ending.signal.aborted) return
    outage = { since: new Date(), reason }
    session = undefined
    heartbeat.close()
    for (const pool of pools.values()) pool.cut(reason)
    pools.clear()
    retry.later({ atOnce: true })
  }

  async function reconnect(): Promise<void> {
    try {
      await heartbeat.open()
      session = {}
      outage = undefined
    } catch (reason) {
      if (outage !== undefined) outage = { ...outage, reason }
      throw reason
    }
  }

  function checkHeartbeat(): void {
    if (isChecking || outage !== undefined || ending.signal.aborted) return
    isChecking = true
    void within(target.healthCheckMs, heartbeat.check(), noHeartbeat)
      .catch(markUnavailable)
      .finally(() => {
        isChecking = false
      })
  }

  /** After the heartbeat connection is lost, the server is unavailable unless another opens. */
  function findAgain(): void {
    if (outage !== undefined || ending.signal.aborted) return
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
    if (ending.signal.aborted) throw new Error('Client was closed')
    try {
      if (session === undefined) {
        await heartbeat.open()
        session ??= {}
      }
      const client = await poolFor(purpose).acquire()
      return {
        query: (text, values) => watched(queryRows(client, text, values)),
        release: isBroken => client.release(isBroken),
      }
    } catch (error) {
      if (isServerFault(error)) markUnavailable(error)
      throw error
    }
  }

  return {
    host: attempt,
    acquire: purpose => (outage === undefined ? watched(acquireNow(purpose)) : acquireNow(purpose)),
    unavailable: () => outage,
    session: () => session ?? heartbeat,
    retrySoon: retry.soon,
    async end() {
      ending.abort()
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
  const result = await client.query(text, values as unknown[])
  const { command, rowCount, rows } = result
  result.rows = []
  return { command, rowCount, rows }
}

const noHeartbeat = () => new Error('timeout: the server did not answer the health check')

/** Whether the server is at fault, and not a lack of connections. */
const isServerFault = (error: unknown): boolean =>
  !(error instanceof StoreBusyError) && !sqlState(error)?.startsWith('53')
