import { createHash } from 'node:crypto'
import type { Cluster, Redis } from 'ioredis'
import type { RedisAddress } from '../values/addresses/redis-address.ts'
import { within } from '../values/promises.ts'
import { makeClient } from './redis-client.ts'
import { failureOf, RedisFailure } from './redis-failure.ts'

/** The deadline for connecting and the test count. */
const CONNECT_MS = 1000

/** The key of the test count, which expires after a second. */
const TRIAL_KEY = 'pds:limit:trial'
const TRIAL_WINDOW_MS = 1000

/** How many requests a client has made in its window, and when the window ends. */
export interface RateLimitCount {
  /** Requests in the window, this one included. */
  readonly count: number
  /** Time until the window ends. */
  readonly millisecondsLeft: number
}

/** A connection on which counting has succeeded. */
export interface RedisConnection {
  /** Counts one request under a key. Throws {@link RedisFailure}, at the timeout at the latest. */
  count(key: string, windowMs: number): Promise<RateLimitCount>
  close(): void
}

/**
 * Connects to Redis and makes a test count, so that a read-only server is detected before requests depend on it. Throws
 * {@link RedisFailure} within a second. `onEnd` is called when either side closes the connection.
 */
export async function connectRedis(
  address: RedisAddress,
  timeoutMs: number,
  onEnd: (failure: RedisFailure) => void,
): Promise<RedisConnection> {
  const client = await makeClient(address)
  let clientError: unknown
  let nodeError: unknown
  client.on('error', error => {
    clientError = error
  })
  client.on('node error', error => {
    nodeError = error
  })
  const failure = (error: unknown) => failureOf(clientError ?? nodeError ?? error)

  const count = async (key: string, windowMs: number): Promise<RateLimitCount> => {
    const late = () => new RedisFailure('timeout')
    try {
      return await within(timeoutMs, countOne(client as ScriptRunner, key, windowMs), late)
    } catch (error) {
      throw failureOf(error)
    }
  }

  const verify = async (): Promise<void> => {
    await client.connect()
    // If the database does not exist, the library emits an error and uses another.
    if (clientError !== undefined) throw clientError
    await preparePrimaries(client)
    await count(TRIAL_KEY, TRIAL_WINDOW_MS)
  }
  try {
    await within(CONNECT_MS, verify(), () => new RedisFailure('timeout'))
  } catch (error) {
    client.disconnect()
    // The library only throws that the connection is closed. It emitted the cause before.
    throw error instanceof RedisFailure ? error : failure(error)
  }
  client.once('end', () => onEnd(failure(new Error('ended'))))
  return { count, close: () => client.disconnect() }
}

/**
 * Loads the script on every primary of a cluster, so that the first requests need not wait for loading. Each primary counts
 * part of the clients, so all must be reachable: otherwise the limit would apply only to some clients.
 */
async function preparePrimaries(client: Redis | Cluster): Promise<void> {
  if ('nodes' in client)
    await Promise.all(client.nodes('master').map(node => node.script('LOAD', COUNT_SCRIPT)))
}

/** The part of a Redis client that counting needs. */
interface ScriptRunner {
  evalsha(sha: string, keys: number, key: string, windowMs: number): Promise<unknown>
  eval(script: string, keys: number, key: string, windowMs: number): Promise<unknown>
}

/** Counts one request, atomically. The window starts with its first request. */
const COUNT_SCRIPT = `
local count = redis.call('INCR', KEYS[1])
local left = redis.call('PTTL', KEYS[1])
if left < 0 then
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
  left = tonumber(ARGV[1])
end
return { count, left }`
const SHA = createHash('sha1').update(COUNT_SCRIPT).digest('hex')

/** Counts one request under a key and returns the count. Loads the script if Redis does not have it. */
async function countOne(redis: ScriptRunner, key: string, windowMs: number): Promise<RateLimitCount> {
  return countOf(
    await redis.evalsha(SHA, 1, key, windowMs).catch(error => {
      if (!String(error?.message).startsWith('NOSCRIPT')) throw error
      return redis.eval(COUNT_SCRIPT, 1, key, windowMs)
    }),
  )
}

function countOf(reply: unknown): RateLimitCount {
  const [count, left] = Array.isArray(reply) ? reply : []
  if (!Number.isSafeInteger(count) || !Number.isSafeInteger(left) || count < 1 || left < 0)
    throw new RedisFailure('reply')
  return { count, millisecondsLeft: left }
}
