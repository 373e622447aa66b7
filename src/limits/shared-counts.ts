import { createHash } from 'node:crypto'
import type { Logger } from 'pino'
import { readRedisAddress } from '../values/addresses/redis-address.ts'
import { createRetry } from '../values/retry.ts'
import { connectRedis, type RateLimitCount, type RedisConnection } from './redis-connection.ts'
import { FAILURE_KINDS, type FailureKind, failureOf, type RedisFailure } from './redis-failure.ts'

/** Request counts that all instances share. */
export interface SharedCounts {
  /** Connects; resolves when the first attempt has succeeded or failed. Never throws. */
  start(): Promise<void>
  /**
   * Counts one request of a client in a window that starts with the client's first request. Undefined while Redis is
   * unavailable: immediately if this is known, otherwise after little more than 50 ms. Never throws.
   */
  count(client: string, windowMs: number): Promise<RateLimitCount | undefined>
  /** Returns the values for the metrics. */
  metrics(): SharedCountsMetrics
  /** Disconnects immediately. */
  close(): void
}

export interface SharedCountsMetrics {
  /** False while this instance counts locally. */
  readonly shared: boolean
  /** Failures since the start by kind, including failed reconnects. */
  readonly failures: Readonly<Record<FailureKind, number>>
}

/** The timeout of a count. */
export const PATIENCE_MS = 50

const FIRST_RETRY_MS = 100
const MAX_RETRY_MS = 1200

/**
 * Creates counts in Redis. Any failure closes the connection. No request waits for Redis until a reconnect in the background
 * succeeds.
 */
export function createSharedCounts(options: { url: string; log: Logger; patienceMs?: number }): SharedCounts {
  const { log, patienceMs = PATIENCE_MS } = options
  const address = readRedisAddress(options.url)
  const failures = Object.fromEntries(FAILURE_KINDS.map(kind => [kind, 0])) as Record<FailureKind, number>
  const closing = new AbortController()
  const retry = createRetry({
    attempt: connect,
    firstMs: FIRST_RETRY_MS,
    longestMs: MAX_RETRY_MS,
    signal: closing.signal,
  })
  let connection: RedisConnection | undefined
  let failedAt: number | undefined

  async function connect(): Promise<void> {
    try {
      const made: RedisConnection = await connectRedis(address, patienceMs, failure => lose(made, failure))
      if (closing.signal.aborted) return made.close()
      connection = made
    } catch (error) {
      if (!closing.signal.aborted) fallBack(failureOf(error))
      throw error
    }
    const seconds = failedAt === undefined ? undefined : Math.round((performance.now() - failedAt) / 100) / 10
    failedAt = undefined
    log.info(
      { event: 'limits-shared', seconds },
      'requests are counted together with other instances, in Redis',
    )
  }

  function lose(lost: RedisConnection | undefined, failure: RedisFailure): void {
    if (lost === undefined || connection !== lost) return
    connection = undefined
    lost.close()
    fallBack(failure)
    retry.later()
  }

  function fallBack(failure: RedisFailure): void {
    failures[failure.kind] += 1
    if (failedAt !== undefined) return
    failedAt = performance.now()
    log.warn(
      { event: 'limits-alone', kind: failure.kind, error: failure.message },
      'Redis is unavailable: this instance counts requests on its own until it is back',
    )
  }

  return {
    start: retry.now,
    async count(client, windowMs) {
      const current = connection
      try {
        return await current?.count(keyOf(client), windowMs)
      } catch (error) {
        lose(current, failureOf(error))
        return undefined
      }
    },
    metrics: () => ({ shared: connection !== undefined, failures }),
    close() {
      closing.abort()
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
