import type { Cluster, Redis } from 'ioredis'
import { within } from '../values/deadline.ts'
import type { RedisAddress } from '../values/redis-address.ts'
import { COUNT_SCRIPT, countOne, type ScriptRunner, type Standing } from './count-script.ts'
import { makeClient } from './redis-client.ts'
import { failureOf, RedisFailure } from './redis-failure.ts'

/** The longest that is waited until Redis is connected to and has counted once. */
const CONNECT_MS = 1000

/** Counted under this key for a second, to find out whether Redis counts. */
const TRIAL_KEY = 'pds:limit:trial'
const TRIAL_WINDOW_MS = 1000

/** A Redis that counts. */
export interface RedisConnection {
  /** Counts one more under a key. Throws {@link RedisFailure}, when patience ends at the latest. */
  count(key: string, windowMs: number): Promise<Standing>
  close(): void
}

/**
 * Connects to Redis and has it count once, so that one that cannot be written to is found out before it matters. Throws
 * {@link RedisFailure}, in a second at the latest. `onEnd` is called when the connection ends, whoever ends it.
 */
export async function connectRedis(
  address: RedisAddress,
  patienceMs: number,
  onEnd: (failure: RedisFailure) => void,
): Promise<RedisConnection> {
  const client = await makeClient(address)
  let trouble: unknown
  let nodeTrouble: unknown
  client.on('error', error => {
    trouble = error
  })
  client.on('node error', error => {
    nodeTrouble = error
  })
  const failure = (error: unknown) => failureOf(trouble ?? nodeTrouble ?? error)

  const count = async (key: string, windowMs: number): Promise<Standing> => {
    const late = () => new RedisFailure('timeout')
    try {
      return await within(patienceMs, countOne(client as ScriptRunner, key, windowMs), late)
    } catch (error) {
      throw failureOf(error)
    }
  }

  const prove = async (): Promise<void> => {
    await client.connect()
    // Of a database that is not there the library tells, and takes another.
    if (trouble !== undefined) throw trouble
    await preparePrimaries(client)
    await count(TRIAL_KEY, TRIAL_WINDOW_MS)
  }
  try {
    await within(CONNECT_MS, prove(), () => new RedisFailure('timeout'))
  } catch (error) {
    client.disconnect()
    // The library only says that the connection is closed; why, it has said before.
    throw error instanceof RedisFailure ? error : failure(error)
  }
  client.once('end', () => onEnd(failure(new Error('ended'))))
  return { count, close: () => client.disconnect() }
}

/**
 * Each primary of a cluster holds a share of the clients: all must be there, or the limit would hold for some alone. They
 * are told the script, which otherwise the first requests would have to wait for.
 */
async function preparePrimaries(client: Redis | Cluster): Promise<void> {
  if ('nodes' in client)
    await Promise.all(client.nodes('master').map(node => node.script('LOAD', COUNT_SCRIPT)))
}
