import type { FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { EventClients } from '../../http/events/event-clients.ts'
import type { DirectAnswer } from '../../http/routing/direct-lane.ts'
import type { SharedCounts } from '../../limits/shared-counts.ts'
import type { PollResult } from '../../parking/feed/poller.ts'
import type { LiveView } from '../../parking/live-view.ts'
import type { CarparkWatch } from '../../parking/model/carpark-watch.ts'
import type { Snapshots } from '../../releases/snapshots/snapshots.ts'
import { STORE_REFUSALS, type StoreRefusal } from '../store-problems.ts'
import { carparkFigures } from './carpark-metrics.ts'
import { feedFigures } from './feed-metrics.ts'
import { redisFigures } from './redis-metrics.ts'
import { requestFigures } from './request-metrics.ts'
import { streamFigures } from './stream-metrics.ts'

const STORE_PARTS = ['primary', 'read host'] as const

export interface Metrics {
  readonly registry: Registry
  /** Counts the app's requests by route and status, with their latency. */
  observe(app: FastifyInstance): void
  /** Counts one answer that went past the framework. */
  countDirect(answer: DirectAnswer): void
  /** Counts one answer to what never became a request. */
  countUnreadable(status: number): void
  /** Counts one request that the store could not answer. */
  countStoreRefusal(refusal: StoreRefusal): void
  /** Counts one poll of the feed. */
  countPoll(poll: PollResult): void
}

/** The service's figures for Prometheus. Routes are named by pattern, so that no consumer can make new series. */
export function createMetrics(options: {
  datasets: readonly { name: string }[]
  snapshots: Snapshots
  live: LiveView
  watch: Pick<CarparkWatch, 'verdicts'>
  sharedCounts?: Pick<SharedCounts, 'figures'> | undefined
  now?: () => Date
}): Metrics {
  const { datasets, snapshots, live, watch, sharedCounts, now = () => new Date() } = options
  const registry = new Registry()
  const registers = [registry]
  const secondsSince = (time: string) => Math.max(0, (now().getTime() - Date.parse(time)) / 1000)
  collectDefaultMetrics({ register: registry })

  const requests = requestFigures(registry)
  const feed = feedFigures(registry, live)
  carparkFigures(registry, watch)
  redisFigures(registry, sharedCounts)
  let clients: EventClients | undefined
  streamFigures(registry, () => clients)

  const perDataset = (name: string, help: string, value: (dataset: string) => number | undefined) =>
    new Gauge({
      name,
      help,
      labelNames: ['dataset'],
      registers,
      collect() {
        this.reset()
        for (const dataset of datasets) {
          const current = value(dataset.name)
          if (current !== undefined) this.set({ dataset: dataset.name }, current)
        }
      },
    })
  perDataset('pds_release_age_seconds', 'Age of the release that is served.', dataset => {
    const release = snapshots.get(dataset)?.release
    return release && secondsSince(release.publishedAt)
  })
  perDataset(
    'pds_release_number',
    'Number of the release that is served.',
    dataset => snapshots.get(dataset)?.release.number,
  )
  perDataset(
    'pds_release_rows',
    'Records of the release that is served.',
    dataset => snapshots.get(dataset)?.release.rows,
  )
  perDataset(
    'pds_release_damaged',
    '1 if the current release is damaged and an older one or none is served.',
    dataset => (snapshots.health(dataset).damaged === null ? 0 : 1),
  )
  new Gauge({
    name: 'pds_store_failing',
    help: '1 while the store cannot be read.',
    registers,
    collect() {
      this.set(snapshots.storeFailing() === null ? 0 : 1)
    },
  })
  new Gauge({
    name: 'pds_store_away',
    help: 'Servers of the store that cannot be reached, by what they are for.',
    labelNames: ['part'],
    registers,
    collect() {
      for (const part of STORE_PARTS)
        this.set({ part }, snapshots.storeTroubles().filter(trouble => trouble.part === part).length)
    },
  })
  const refusals = new Counter({
    name: 'pds_store_refusals_total',
    help: 'Requests that the store could not answer, by why.',
    labelNames: ['kind'],
    registers,
  })
  for (const kind of STORE_REFUSALS) refusals.inc({ kind }, 0)
  return {
    registry,
    countStoreRefusal: kind => refusals.inc({ kind }),
    observe(app) {
      clients = app.eventClients
      app.addHook('onResponse', async (request, reply) => {
        const route = request.routeOptions.url ?? 'unknown'
        requests.count(route, request.method, reply.statusCode, reply.elapsedTime / 1000)
      })
    },
    countDirect: ({ route, status, ms }) => requests.count(route, 'GET', status, ms / 1000),
    countUnreadable: status => requests.count('unreadable', 'unknown', status),
    countPoll: feed.countPoll,
  }
}
