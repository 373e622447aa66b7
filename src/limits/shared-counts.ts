import { createHash } from 'node:crypto'
import type { Logger } from 'pino'
import { readRedisAddress } from '../values/redis-address.ts'
import type { RateLimitCount } from './count-script.ts'
import { connectRedis, type RedisConnection } from './redis-connection.ts'
import { FAILURE_KINDS, type FailureKind, failureOf, type RedisFailure } from './redis-failure.ts'

/** Request counts that all instances share. */
export interface SharedCounts {
  /** Connects; resolves when the first attempt has succeeded or failed. Never throws. */
  start(): Promise<void>
  /**
   * Counts one request of a client in a window that starts with its first request. Undefined while Redis is unavailable:
   * at once if that is known, otherwise after little more than 50 ms. Never throws.
   */
  count(client: string, windowMs: number): Promise<RateLimitCount | undefined>
  /** Returns the values for the metrics. */
  figures(): SharedCountsFigures
  /** Disconnects at once. */
  close(): void
}

export interface SharedCountsFigures {
  /** False while this instance counts locally. */
  readonly shared: boolean
  /** Failures since the start by kind, failed reconnects included. */
  readonly failures: Readonly<Record<FailureKind, number>>
}

/** The timeout of a count. */
export const PATIENCE_MS = 50

const FIRST_RETRY_MS = 100
const MAX_RETRY_MS = 1200

/** The retry delay starts anew after this time without a failure. */
const STABLE_AFTER_MS = 10_000

/**
 * Creates counts in Redis. Any failure closes the connection: until a reconnect in the background succeeds, no request
 * waits for Redis.
 */
export function createSharedCounts(options: { url: string; log: Logger; patienceMs?: number }): SharedCounts {
  const { log, patienceMs = PATIENCE_MS } = options
  const address = readRedisAddress(options.url)
  const failures = Object.fromEntries(FAILURE_KINDS.map(kind => [kind, 0])) as Record<FailureKind, number>
  let connection: RedisConnection | undefined
  let changedAt = performance.now()
  let hasLoggedFailure = false
  let retryMs = FIRST_RETRY_MS
  let retry: NodeJS.Timeout | undefined
  let closed = false

  async function connect(): Promise<void> {
    try {
      const made: RedisConnection = await connectRedis(address, patienceMs, failure => {
        if (connection === made) fallBack(failure)
      })
      if (closed) made.close()
      else useConnection(made)
    } catch (error) {
      if (!closed) fallBack(failureOf(error))
    }
  }

  function useConnection(made: RedisConnection): void {
    const seconds = Math.round((performance.now() - changedAt) / 100) / 10
    connection = made
    changedAt = performance.now()
    log.info(
      { event: 'limits-shared', ...(hasLoggedFailure ? { seconds } : {}) },
      'requests are counted together with other instances, in Redis',
    )
    hasLoggedFailure = false
  }

  function fallBack(failure: RedisFailure): void {
    failures[failure.kind] += 1
    if (connection !== undefined) {
      if (performance.now() - changedAt >= STABLE_AFTER_MS) retryMs = FIRST_RETRY_MS
      changedAt = performance.now()
      connection.close()
      connection = undefined
    }
    retry = setTimeout(connect, retryMs)
    retryMs = Math.min(2 * retryMs, MAX_RETRY_MS)
    if (hasLoggedFailure) return
    hasLoggedFailure = true
    log.warn(
      { event: 'limits-alone', kind: failure.kind, error: failure.message },
      'Redis cannot be asked: this instance counts requests on its own until it can',
    )
  }

  return {
    start: connect,
    async count(client, windowMs) {
      const current = connection
      try {
        return await current?.count(keyOf(client), windowMs)
      } catch (error) {
        if (connection === current) fallBack(failureOf(error))
        return undefined
      }
    },
    figures: () => ({ shared: connection !== undefined, failures }),
    close() {
      closed = true
      clearTimeout(retry)
      const last = connection
      connection = undefined
      last?.close()
    },
  }
}

/** Hashes the client, so that Redis's keys reveal no address. Half of the digest is enough to distinguish clients. */
function keyOf(client: string): string {
  return `pds:limit:${createHash('sha256').update(client).digest('base64url').slice(0, 22)}`
}
