import { createHash } from 'node:crypto'
import type { Logger } from 'pino'
import { readRedisAddress } from '../values/redis-address.ts'
import type { Standing } from './count-script.ts'
import { connectRedis, type RedisConnection } from './redis-connection.ts'
import { FAILURE_KINDS, type FailureKind, failureOf, type RedisFailure } from './redis-failure.ts'

/** Requests that all instances count together. */
export interface SharedCounts {
  /** Connects; resolves once that has gone well or failed for the first time. Never throws. */
  start(): Promise<void>
  /**
   * Counts one more request of somebody in a window of so many milliseconds from the first. Undefined where Redis cannot
   * be asked, at once if that is known and in little more than 50 ms if not. Never throws.
   */
  count(who: string, windowMs: number): Promise<Standing | undefined>
  figures(): SharedCountsFigures
  /** Lets go of Redis at once, whatever state it is in. */
  close(): void
}

export interface SharedCountsFigures {
  /** False while this instance counts on its own. */
  readonly shared: boolean
  /** How often Redis was found to fail since the start, attempts to come back included. */
  readonly failures: Readonly<Record<FailureKind, number>>
}

/** The longest that a request waits for its count. */
export const PATIENCE_MS = 50

const FIRST_RETRY_MS = 100
const LONGEST_RETRY_MS = 1200

/** After so long without a failure, the next one is taken for the first. */
const SOUND_AFTER_MS = 10_000

/**
 * Counts in Redis. A failure of any kind ends the connection: until a new one has been seen to count, which is tried in
 * the background, nobody waits for Redis.
 */
export function createSharedCounts(options: { url: string; log: Logger; patienceMs?: number }): SharedCounts {
  const { log, patienceMs = PATIENCE_MS } = options
  const address = readRedisAddress(options.url)
  const failures = Object.fromEntries(FAILURE_KINDS.map(kind => [kind, 0])) as Record<FailureKind, number>
  let connection: RedisConnection | undefined
  let changedAt = performance.now()
  let toldAlone = false
  let retryMs = FIRST_RETRY_MS
  let retry: NodeJS.Timeout | undefined
  let closed = false

  async function connect(): Promise<void> {
    try {
      const made: RedisConnection = await connectRedis(address, patienceMs, failure => {
        if (connection === made) standAlone(failure)
      })
      if (closed) made.close()
      else shareAgain(made)
    } catch (error) {
      if (!closed) standAlone(failureOf(error))
    }
  }

  function shareAgain(made: RedisConnection): void {
    const seconds = Math.round((performance.now() - changedAt) / 100) / 10
    connection = made
    changedAt = performance.now()
    log.info(
      { event: 'limits-shared', ...(toldAlone ? { seconds } : {}) },
      'requests are counted together with other instances, in Redis',
    )
    toldAlone = false
  }

  function standAlone(failure: RedisFailure): void {
    failures[failure.kind] += 1
    if (connection !== undefined) {
      if (performance.now() - changedAt >= SOUND_AFTER_MS) retryMs = FIRST_RETRY_MS
      changedAt = performance.now()
      connection.close()
      connection = undefined
    }
    retry = setTimeout(connect, retryMs)
    retryMs = Math.min(2 * retryMs, LONGEST_RETRY_MS)
    if (toldAlone) return
    toldAlone = true
    log.warn(
      { event: 'limits-alone', kind: failure.kind, error: failure.message },
      'Redis cannot be asked: this instance counts requests on its own until it can',
    )
  }

  return {
    start: connect,
    async count(who, windowMs) {
      const asked = connection
      try {
        return await asked?.count(keyOf(who), windowMs)
      } catch (error) {
        if (connection === asked) standAlone(failureOf(error))
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

/** No address can be read from Redis's keys. Half of the digest tells clients apart as well. */
function keyOf(who: string): string {
  return `pds:limit:${createHash('sha256').update(who).digest('base64url').slice(0, 22)}`
}
