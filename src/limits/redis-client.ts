import type { Cluster, Redis } from 'ioredis'
import type { RedisAddress } from '../values/addresses/redis-address.ts'

/** How long each of several servers may take to connect and to report the topology, before the next server is tried. */
const STEP_MS = 300

/** Options of all connections. */
const COMMON = {
  lazyConnect: true,
  // No timeout for a single server, because the library's timeouts also expire while this process is too busy to read.
  // The deadlines of redis-connection.ts take this into account.
  connectTimeout: 0,
  // A hanging server is abandoned quickly.
  disconnectTimeout: 50,
  // The library never retries: shared-counts.ts reconnects, and until then requests are counted locally.
  maxRetriesPerRequest: 0,
  autoResendUnfulfilledCommands: false,
  retryStrategy: () => null,
  // Every version, fork and proxy supports these options. A test count replaces the ready check.
  protocol: 2,
  enableReadyCheck: false,
  disableClientInfo: true,
} as const

/** Creates an unconnected client that never reconnects or retries by itself. */
export async function makeClient(address: RedisAddress): Promise<Redis | Cluster> {
  // Imported lazily: without REDIS_URL the library is never loaded.
  const { Cluster, Redis } = await import('ioredis')
  const hosts = [...address.hosts]
  if (address.kind === 'cluster') return new Cluster(hosts, clusterOptions(address))
  const one = { ...COMMON, ...userOptions(address), db: address.database, enableOfflineQueue: false }
  if (address.kind === 'sentinel') return new Redis({ ...one, sentinels: hosts, ...sentinelOptions(address) })
  return new Redis({ ...one, ...hosts[0] })
}

function userOptions({ username, password, tls }: RedisAddress) {
  return {
    username,
    password,
    tls: tls ? {} : undefined,
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
    sentinelUsername,
    sentinelPassword,
    sentinelTLS: tls ? {} : undefined,
    enableTLSForSentinelMode: tls,
  }
}
