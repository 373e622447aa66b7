import { Counter, Gauge, type Registry } from 'prom-client'
import type { EventClients } from '../../http/event-clients.ts'
import type { UnreadResponses } from '../../http/unread-responses.ts'
import { FAILURE_KINDS } from '../../limits/redis-failure.ts'
import type { SharedCounts } from '../../limits/shared-counts.ts'
import { FEED_CLOCKS, type FeedHealth } from '../../parking/feed/feed.ts'
import { QUALITIES } from '../../parking/quality/quality.ts'
import type { ParkingService } from '../../parking/service.ts'
import type { SourceFollower } from '../../releases/schedule/follow-sources.ts'
import type { Snapshots } from '../../releases/snapshots/snapshots.ts'
import type { Release, SourceState } from '../../store/store.ts'
import { VERSION } from '../../version.ts'
import type { Watch } from '../watch.ts'

const STORE_PARTS = ['primary', 'reader'] as const

/** The parts of the service whose state the metrics show. */
export interface ObservedParts {
  readonly datasets: readonly { name: string }[]
  readonly snapshots: Snapshots
  readonly parking: Pick<ParkingService, 'health' | 'model'>
  /** Without SOURCES, their metrics have no series. */
  readonly sources: Pick<SourceFollower, 'status'> | undefined
  /** Without REDIS_URL, their metrics have no series. */
  readonly sharedCounts: Pick<SharedCounts, 'metrics'> | undefined
  readonly eventClients: Pick<EventClients, 'figures'>
  readonly unread: Pick<UnreadResponses, 'bytes'>
  readonly watch: Pick<Watch, 'disk'>
  /** Whether other instances share the store, and so the feed. */
  readonly sharesStore: boolean
  readonly isReady: () => boolean
  readonly logLinesDropped: () => number
}

/** Adds the metrics that show the state of these parts at each scrape. */
export function showParts(registry: Registry, parts: ObservedParts): void {
  const { datasets, snapshots, parking, sources, sharedCounts, eventClients, unread, watch } = parts
  const showBy = (name: string, help: string, label: string, values: Values) =>
    register(registry, { name, help, label, values })
  const show = (name: string, help: string, value: () => number | undefined, ofWorkers?: Aggregator) =>
    register(registry, { name, help, values: () => [['', value()]], ofWorkers })

  new Gauge({
    name: 'pds_build_info',
    help: 'Always 1, with the versions of the service and of Node.js.',
    labelNames: ['version', 'node'],
    registers: [registry],
    aggregator: 'max',
  }).set({ version: VERSION, node: process.versions.node }, 1)
  show('pds_workers', 'Processes that answer requests: the workers of an instance, or 1.', () => 1, 'sum')
  show('pds_ready', '1 while the instance should get requests.', () => Number(parts.isReady()), 'min')

  const byDataset = (name: string, help: string, value: (dataset: string) => number | undefined) =>
    showBy(name, help, 'dataset', () => datasets.map(dataset => [dataset.name, value(dataset.name)]))
  const ofServed = (value: (release: Release) => number) => (dataset: string) => {
    const snapshot = snapshots.get(dataset)
    return snapshot && value(snapshot.release)
  }
  byDataset(
    'pds_release_age_seconds',
    'Seconds since the served release was published.',
    ofServed(({ publishedAt }) => Math.max(0, (Date.now() - Date.parse(publishedAt)) / 1000)),
  )
  byDataset(
    'pds_release_number',
    'Number of the served release.',
    ofServed(({ number }) => number),
  )
  byDataset(
    'pds_release_rows',
    'Records of the served release.',
    ofServed(({ rows }) => rows),
  )
  byDataset('pds_release_damaged', '1 if the current release is damaged and not served.', dataset =>
    Number(snapshots.health(dataset).damaged !== null),
  )

  show('pds_store_unavailable', '1 while the store cannot be read.', () =>
    Number(snapshots.storeFailure() !== null),
  )
  showBy('pds_store_servers_unavailable', 'Unavailable servers of the store, by role.', 'part', () => {
    const degraded = snapshots.degradedComponents()
    return STORE_PARTS.map(part => [part, degraded.filter(component => component.part === part).length])
  })
  show(
    'pds_disk_free_bytes',
    "Bytes that may still be written to the disk of the store's folder.",
    () => watch.disk()?.freeBytes,
  )

  /** Without a feed, its metrics have no series, lest alerts tell of it. */
  const ofFeed = (value: (health: FeedHealth) => number | undefined) => () => {
    const health = parking.health()
    return health.polling ? value(health) : undefined
  }
  show(
    'pds_feed_leading',
    '1 if this instance polls the feed for all, else 0; absent where the store is not shared.',
    ofFeed(({ role }) => (parts.sharesStore ? Number(role === 'leading') : undefined)),
    'sum',
  )
  show(
    'pds_feed_failed_polls',
    'Polls of the live feed that failed in a row; 0 while it works.',
    ofFeed(({ failedPolls }) => failedPolls),
  )
  show(
    'pds_feed_breaker_open',
    '1 while the circuit breaker is open, after three failed polls in a row.',
    ofFeed(({ breaker }) => Number(breaker === 'open')),
  )
  showBy(
    'pds_feed_clock',
    "1 for the present state of the feed's clock: ok, ahead, behind or unreadable.",
    'state',
    () => FEED_CLOCKS.map(state => [state, ofFeed(({ clock }) => Number(state === clock))()]),
  )
  show(
    'pds_live_reading_age_seconds',
    'Age of the last good reading, by its timestamp; absent before the first.',
    ofFeed(({ readingAgeSeconds }) => readingAgeSeconds ?? undefined),
  )
  showBy(
    'pds_live_carparks',
    'Car parks that the feed counts or should count, by quality.',
    'quality',
    () => {
      const assessments = [...parking.model().qualities().values()]
      return QUALITIES.map(quality => [quality, assessments.filter(each => each.quality === quality).length])
    },
  )

  const timeOf = (name: string, help: string, time: (state: SourceState | undefined) => string | null) =>
    showBy(name, help, 'dataset', () =>
      (sources?.status() ?? []).map(({ dataset, state }) => {
        const at = time(state)
        return [dataset, at === null ? undefined : Date.parse(at) / 1000]
      }),
    )
  timeOf(
    'pds_source_success_timestamp_seconds',
    'When the source was last published or found unchanged, in Unix time.',
    state => state?.succeededAt ?? null,
  )
  timeOf(
    'pds_source_failing_timestamp_seconds',
    'When the first of the failed attempts in a row was, in Unix time; absent while the source succeeds.',
    state => state?.failingSince ?? null,
  )
  timeOf(
    'pds_source_due_timestamp_seconds',
    'When the source is due next, in Unix time; 0 before its first attempt.',
    state => state?.dueAt ?? '1970-01-01T00:00:00Z',
  )

  show(
    'pds_limits_shared',
    '1 while Redis counts requests for all instances, 0 while this instance counts its own.',
    () => sharedCounts && Number(sharedCounts.metrics().shared),
    'min',
  )
  showBy('pds_redis_failures_total', 'Failures of Redis, failed reconnects included, by kind.', 'kind', () =>
    FAILURE_KINDS.map(kind => [kind, sharedCounts?.metrics().failures[kind]]),
  )

  show(
    'pds_stream_clients',
    'Clients connected to an event stream.',
    () => eventClients.figures().connected,
    'sum',
  )
  show(
    'pds_stream_clients_dropped_total',
    'Stream clients disconnected because they did not read.',
    () => eventClients.figures().dropped,
  )
  show(
    'pds_stream_clients_refused_total',
    'Stream clients refused because LIVE_STREAM_CLIENTS, or a tenth of it for one client, were connected.',
    () => eventClients.figures().refused,
  )
  show('pds_http_unread_bytes', 'Memory held by responses that clients have not taken.', unread.bytes, 'sum')
  show(
    'pds_log_lines_dropped_total',
    'Lines of the log dropped because standard output did not take them.',
    parts.logLinesDropped,
  )
}

/** The values of a metric by the values of its label; an undefined value has no series. */
type Values = () => Iterable<readonly [labelValue: string, value: number | undefined]>

/** How the values of several workers become one. */
type Aggregator = 'sum' | 'max' | 'min'

/**
 * Registers a metric whose values are read at each scrape: a counter if its name ends with `_total`, otherwise a gauge. Counters
 * of several workers are added up. A gauge shows the greatest value of all workers, unless `ofWorkers` says otherwise.
 */
export function register(
  registry: Registry,
  {
    name,
    help,
    label,
    values,
    ofWorkers = 'max',
  }: { name: string; help: string; label?: string; values: Values; ofWorkers?: Aggregator | undefined },
): void {
  const about = { name, help, labelNames: label === undefined ? [] : [label], registers: [registry], collect }
  const metric: Series = name.endsWith('_total')
    ? new Counter(about)
    : new Gauge({ ...about, aggregator: ofWorkers })
  function collect(): void {
    metric.reset()
    // Without labels, a reset leaves a series of 0.
    if (label === undefined) metric.remove()
    for (const [labelValue, value] of values())
      if (value !== undefined) metric.inc(label === undefined ? {} : { [label]: labelValue }, value)
  }
}

/** The methods that counters and gauges share. */
interface Series {
  reset(): void
  remove(): void
  inc(labels: Record<string, string>, value: number): void
}
