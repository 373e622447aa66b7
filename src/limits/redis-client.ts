import type { Cluster, Redis } from 'ioredis'
import type { RedisAddress } from '../values/addresses/redis-address.ts'

/** The time for each of several servers to connect and to report the topology, before the next one is tried. */
const STEP_MS = 300

/** Options of all connections. */
const COMMON = {
  lazyConnect: true,
  // The library's timeouts also expire while this process is too busy to read, so a single server has none:
  // redis-connection.ts sets deadlines that take this into account.
  connectTimeout: 0,
  // A server that hangs is abandoned at once.
  disconnectTimeout: 50,
  // The library retries nothing: requests are counted locally meanwhile, and shared-counts.ts reconnects.
  maxRetriesPerRequest: 0,
  autoResendUnfulfilledCommands: false,
  retryStrategy: () => null,
  // Every version, fork and proxy supports these. A test count replaces the ready check.
  protocol: 2,
  enableReadyCheck: false,
  disableClientInfo: true,
} as const

/** Creates an unconnected client that neither reconnects nor retries by itself. */
export async function makeClient(address: RedisAddress): Promise<Redis | Cluster> {
  // Imported lazily: without REDIS_URL it is never loaded.
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
    // The first command for a new node is queued until the node is connected.
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
