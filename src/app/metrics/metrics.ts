import { collectDefaultMetrics, Registry } from 'prom-client'
import type { EventClients } from '../../http/events/event-clients.ts'
import type { ResponseRecord } from '../../http/pipeline.ts'
import type { SharedCounts } from '../../limits/shared-counts.ts'
import type { PollResult } from '../../parking/feed/poller.ts'
import type { ParkingService } from '../../parking/service.ts'
import type { Snapshots } from '../../releases/snapshots/snapshots.ts'
import type { StoreErrorReason } from '../store-problems.ts'
import { carparkMetrics } from './carpark-metrics.ts'
import { feedMetrics } from './feed-metrics.ts'
import { redisMetrics } from './redis-metrics.ts'
import { releaseMetrics, storeMetrics } from './release-metrics.ts'
import { requestFigures } from './request-metrics.ts'
import { streamFigures } from './stream-metrics.ts'

export interface Metrics {
  readonly registry: Registry
  /** Shows the clients of event streams. */
  observeStreams(clients: EventClients): void
  /** Counts one response by route, method and status, with its latency. */
  countResponse(record: ResponseRecord): void
  /** Counts one response to what never became a request. */
  countUnreadable(status: number): void
  /** Counts one request that the store could not answer. */
  countStoreError(reason: StoreErrorReason): void
  /** Counts one poll of the feed. */
  countPoll(poll: PollResult): void
}

/** The service's figures for Prometheus. Routes are named by pattern, so that no consumer can make new series. */
export function createMetrics(options: {
  datasets: readonly { name: string }[]
  snapshots: Snapshots
  parking: Pick<ParkingService, 'health' | 'qualities'>
  sharedCounts?: Pick<SharedCounts, 'figures'> | undefined
  now?: () => Date
}): Metrics {
  const { datasets, snapshots, parking, sharedCounts, now = () => new Date() } = options
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })

  const requests = requestFigures(registry)
  const feed = feedMetrics(registry, parking)
  carparkMetrics(registry, parking)
  redisMetrics(registry, sharedCounts)
  let clients: EventClients | undefined
  streamFigures(registry, () => clients)

  releaseMetrics(registry, { datasets, snapshots, now })
  const countStoreError = storeMetrics(registry, snapshots)
  return {
    registry,
    countStoreError,
    observeStreams(observed) {
      clients = observed
    },
    countResponse({ route, method, status, ms }) {
      if (route === 'unreadable') requests.count(route, 'unknown', status)
      else requests.count(route, method, status, ms / 1000)
    },
    countUnreadable: status => requests.count('unreadable', 'unknown', status),
    countPoll: feed.countPoll,
  }
}
