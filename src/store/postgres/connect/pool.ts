import { Pool, type PoolClient } from 'pg'
import { StoreBusyError } from '../../store.ts'
import type { Target } from './address.ts'
import { type Attempt, checkRole, clientConfig, cut } from './client.ts'

/** The purpose of a connection, which has a pool of its own. */
export type Purpose = 'reading' | 'writing'

/** A pool of connections to one server for one purpose, opened as they are needed. */
export interface ConnectionPool {
  /** Throws {@link StoreBusyError} where all are in use and none is released in time. */
  acquire(): Promise<PoolClient>
  /** Cuts all connections; those waiting for one reject with the reason. The pool is closed then. */
  cut(reason: unknown): void
  /** Closes the pool once all connections are released. */
  end(): Promise<void>
}

/** For readings and messages between instances: one statement at a time, mostly. */
const MOST_WRITING = 2
/** The client waits this much longer than the server's statement timeout. */
const SILENCE_AFTER_MS = 2000
/** Opening a connection takes longer than a request may, so idle ones are kept for a while. */
const IDLE_MS = 60_000
/** How long to wait for a connection while all are in use; no request waits for writing. */
const ACQUIRE_MS = { reading: 500, writing: 5000 }
/** How long to wait for a new connection to open. */
const OPENING_MS = 800
/** How long closing waits for connections in use. */
const ENDING_MS = 1000

export function openPool(target: Target, attempt: Attempt, purpose: Purpose): ConnectionPool {
  const settings = {
    statement_timeout: target.statementMs,
    // Prevents accidental writes too.
    ...(purpose === 'reading' && { default_transaction_read_only: 'on' }),
  }
  const max = purpose === 'reading' ? target.poolSize : MOST_WRITING
  const pool = new Pool({
    ...clientConfig(target, attempt, settings),
    query_timeout: target.statementMs + SILENCE_AFTER_MS,
    idleTimeoutMillis: IDLE_MS,
    max,
    onConnect: client => checkRole(client, attempt.role),
  })
  const clients = new Set<PoolClient>()
  const waiting = new Set<(reason: unknown) => void>()
  // Without listeners, a lost connection would end the process; the pool opens another.
  pool.on('error', () => {})
  pool.on('connect', client => {
    clients.add(client)
    client.on('error', () => {})
  })
  pool.on('remove', client => void clients.delete(client))

  return {
    acquire: () =>
      new Promise((resolve, reject) => {
        let isWaiting = true
        const coming = pool.connect()
        const canOpen = pool.waitingCount === 0
        const end = () => {
          isWaiting = false
          clearTimeout(timer)
          waiting.delete(giveUp)
        }
        const giveUp = (reason: unknown) => {
          end()
          reject(reason)
        }
        const tooLate = () => giveUp(new StoreBusyError(busy(target, canOpen ? undefined : max)))
        const timer = setTimeout(tooLate, canOpen ? OPENING_MS : ACQUIRE_MS[purpose])
        waiting.add(giveUp)
        coming.then(
          client => {
            if (!isWaiting) return client.release()
            end()
            resolve(client)
          },
          (error: unknown) => (isWaiting ? giveUp(error) : undefined),
        )
      }),
    cut(reason) {
      for (const giveUp of waiting) giveUp(reason)
      for (const client of clients) cut(client)
      void pool.end().catch(() => undefined)
    },
    async end() {
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<void>(resolve => {
        timer = setTimeout(resolve, ENDING_MS)
      })
      const ended = pool.end().catch(() => undefined)
      await Promise.race([ended, late])
      clearTimeout(timer)
      for (const client of clients) cut(client)
    },
  }
}

function busy({ shown }: Target, most: number | undefined): string {
  if (most === undefined) return `${shown} takes long to open a connection: try again`
  return `all ${most} connections to ${shown} are in use: try again`
}
