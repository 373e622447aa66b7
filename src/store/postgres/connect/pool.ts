import { Pool, type PoolClient } from 'pg'
import { StoreBusyError } from '../../store.ts'
import type { Target } from './address.ts'
import { clientConfig, cut } from './client.ts'
import { type Attempt, checkRole } from './session-role.ts'

/** What connections are lent out for. */
export type Purpose = 'reading' | 'writing'

/** Connections to one server that are lent out for one purpose, opened as they are needed. */
export interface Lending {
  /** Throws {@link StoreBusyError} where all are lent out and none comes back soon. */
  lend(): Promise<PoolClient>
  /** Cuts all of them, lent out or not, for a reason that those who wait are told. It lends none out any more. */
  cut(reason: unknown): void
  /** Ends once all have come back. */
  end(): Promise<void>
}

/** Only keeping readings, and the instances' word to each other, go over these: one statement at a time, mostly. */
const MOST_WRITING = 2
/** Whatever the server makes of the limit of a statement, this side waits not much longer. */
const SILENCE_AFTER_MS = 2000
/** Opening another takes longer than a request may, so one that nobody uses stays for a while. */
const IDLE_MS = 60_000
/** Whoever comes while all connections are lent out waits so long for one; nobody waits for what is written. */
const PATIENCE_MS = { reading: 500, writing: 5000 }
/** Whoever comes while another can be opened waits so long for that. */
const OPENING_MS = 800
/** What is lent out when it ends is given so long to come back. */
const ENDING_MS = 1000

export function openLending(target: Target, attempt: Attempt, purpose: Purpose): Lending {
  const settings = {
    statement_timeout: target.statementMs,
    // Nothing can be written by mistake either.
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
  // Without listeners, a connection that is lost would end the process; the pool opens another.
  pool.on('error', () => {})
  pool.on('connect', client => {
    clients.add(client)
    client.on('error', () => {})
  })
  pool.on('remove', client => void clients.delete(client))

  return {
    lend: () =>
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
        const timer = setTimeout(tooLate, canOpen ? OPENING_MS : PATIENCE_MS[purpose])
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
