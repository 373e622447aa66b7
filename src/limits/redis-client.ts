import type { Cluster, Redis } from 'ioredis'
import type { RedisAddress } from '../values/redis-address.ts'

/** To reach one of several servers, and to be told by it where the others are; then the next one is asked. */
const STEP_MS = 300

/** What all connections share. */
const COMMON = {
  lazyConnect: true,
  // No time limits of the library where there is no other server to turn to: they run while this process is too busy to
  // read. redis-connection.ts has deadlines that do not.
  connectTimeout: 0,
  // Whoever hangs is left at once.
  disconnectTimeout: 50,
  // Nothing is tried again by the library: who asked is answered without Redis, and shared-counts.ts connects anew.
  maxRetriesPerRequest: 0,
  autoResendUnfulfilledCommands: false,
  retryStrategy: () => null,
  // What every version, fork and proxy knows. Whether Redis serves is found out by counting, not by asking it.
  protocol: 2,
  enableReadyCheck: false,
  disableClientInfo: true,
} as const

/** Makes a client that never reconnects or repeats anything by itself, and is not connected yet. */
export async function makeClient(address: RedisAddress): Promise<Redis | Cluster> {
  // Loaded here alone: without REDIS_URL nobody waits for it.
  const { Cluster, Redis } = await import('ioredis')
  const hosts = [...address.hosts]
  if (address.kind === 'cluster') return new Cluster(hosts, clusterOptions(address))
  const one = { ...COMMON, ...userOptions(address), db: address.database, enableOfflineQueue: false }
  if (address.kind === 'sentinel') return new Redis({ ...one, sentinels: hosts, ...sentinelOptions(address) })
  return new Redis({ ...one, ...hosts[0] })
}

function userOptions({ username, password, tls }: RedisAddress) {
  return {
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    ...(tls ? { tls: {} } : {}),
  }
}

function clusterOptions(address: RedisAddress) {
  return {
    lazyConnect: true,
    redisOptions: { ...COMMON, ...userOptions(address), connectTimeout: STEP_MS },
    slotsRefreshTimeout: STEP_MS,
    clusterRetryStrategy: () => null,
    enableReadyCheck: false,
    // A node that is new to the client is connected to while the first command for it waits.
    enableOfflineQueue: true,
    maxRedirections: 3,
    retryDelayOnFailover: 0,
    retryDelayOnClusterDown: 0,
  }
}

function sentinelOptions({ primary, tls, sentinelUsername, sentinelPassword }: RedisAddress) {
  return {
    name: primary,
    connectTimeout: STEP_MS,
    sentinelRetryStrategy: () => null,
    sentinelCommandTimeout: STEP_MS,
    ...(sentinelUsername === undefined ? {} : { sentinelUsername }),
    ...(sentinelPassword === undefined ? {} : { sentinelPassword }),
    ...(tls ? { sentinelTLS: {}, enableTLSForSentinelMode: true } : {}),
  }
}
