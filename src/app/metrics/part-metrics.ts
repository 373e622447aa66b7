import type { Registry } from 'prom-client'
import { FAILURE_KINDS } from '../../limits/redis-failure.ts'
import type { SharedCounts } from '../../limits/shared-counts.ts'
import { FEED_CLOCKS } from '../../parking/feed/feed.ts'
import { QUALITIES } from '../../parking/quality/quality.ts'
import type { ParkingService } from '../../parking/service.ts'
import type { SourceFollower } from '../../releases/schedule/follow-sources.ts'
import type { Snapshots } from '../../releases/snapshots/snapshots.ts'
import type { Release, SourceState } from '../../store/store.ts'
import { counter, gauge } from './collected.ts'

const STORE_PARTS = ['primary', 'reader'] as const

/** Adds the metrics of the served releases, by dataset. */
export function releaseMetrics(
  registry: Registry,
  datasets: readonly { name: string }[],
  snapshots: Snapshots,
): void {
  const byDataset = (name: string, help: string, value: (dataset: string) => number | undefined) =>
    gauge(registry, name, help, {
      label: 'dataset',
      values: () =>
        datasets.flatMap(dataset => {
          const current = value(dataset.name)
          return current === undefined ? [] : [[dataset.name, current] as const]
        }),
    })
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
    snapshots.health(dataset).damaged === null ? 0 : 1,
  )
}

/** Adds the metrics of the store's state. */
export function storeMetrics(
  registry: Registry,
  { storeFailure, degradedComponents }: Pick<Snapshots, 'storeFailure' | 'degradedComponents'>,
): void {
  gauge(registry, 'pds_store_unavailable', '1 while the store cannot be read.', () =>
    Number(storeFailure() !== null),
  )
  gauge(registry, 'pds_store_servers_unavailable', 'Unavailable servers of the store, by role.', {
    label: 'part',
    values() {
      const degraded = degradedComponents()
      return STORE_PARTS.map(part => [part, degraded.filter(component => component.part === part).length])
    },
  })
}

/** Adds the metrics of the live feed and of the quality of its counts. */
export function parkingMetrics(
  registry: Registry,
  { health, model }: Pick<ParkingService, 'health' | 'model'>,
): void {
  gauge(
    registry,
    'pds_feed_leading',
    '1 if this instance polls the feed for all, else 0; absent where the store is not shared.',
    () => {
      const { role } = health()
      return role && Number(role === 'leading')
    },
  )
  gauge(
    registry,
    'pds_feed_failed_polls',
    'Polls of the live feed that failed in a row; 0 while it works.',
    () => health().failedPolls,
  )
  gauge(
    registry,
    'pds_feed_breaker_open',
    '1 while the circuit breaker is open, after three failed polls in a row.',
    () => Number(health().breaker === 'open'),
  )
  gauge(
    registry,
    'pds_feed_clock',
    "1 for the present state of the feed's clock: ok, ahead, behind or unreadable.",
    {
      label: 'state',
      values() {
        const { clock } = health()
        return FEED_CLOCKS.map(state => [state, Number(state === clock)])
      },
    },
  )
  gauge(
    registry,
    'pds_live_reading_age_seconds',
    'Age of the last good reading, by its timestamp; absent before the first.',
    () => health().readingAgeSeconds ?? undefined,
  )
  gauge(registry, 'pds_live_carparks', 'Car parks that the feed counts or should count, by quality.', {
    label: 'quality',
    values() {
      const assessments = [...model().qualities().values()]
      return QUALITIES.map(quality => [quality, assessments.filter(each => each.quality === quality).length])
    },
  })
}

/** Adds the metrics of followed sources, by dataset; without SOURCES they have no series. */
export function sourceMetrics(registry: Registry, sources: Pick<SourceFollower, 'status'> | undefined): void {
  const timeOf = (name: string, help: string, time: (state: SourceState) => string | null) =>
    gauge(registry, name, help, {
      label: 'dataset',
      values: () =>
        (sources?.status() ?? []).flatMap(({ dataset, state }) => {
          const at = state && time(state)
          return at ? [[dataset, Date.parse(at) / 1000] as const] : []
        }),
    })
  timeOf(
    'pds_source_success_timestamp_seconds',
    'When the source was last published or found unchanged, in Unix time.',
    ({ succeededAt }) => succeededAt,
  )
  timeOf(
    'pds_source_due_timestamp_seconds',
    'When the source is due next, in Unix time.',
    ({ dueAt }) => dueAt,
  )
}

/** Adds the metrics of shared rate limits; without REDIS_URL they have no series. */
export function redisMetrics(registry: Registry, counts: Pick<SharedCounts, 'metrics'> | undefined): void {
  gauge(
    registry,
    'pds_limits_shared',
    '1 while Redis counts requests for all instances, 0 while this instance counts its own.',
    () => counts && Number(counts.metrics().shared),
  )
  counter(registry, 'pds_redis_failures_total', 'Failures of Redis, failed reconnects included, by kind.', {
    label: 'kind',
    values() {
      if (counts === undefined) return []
      const { failures } = counts.metrics()
      return FAILURE_KINDS.map(kind => [kind, failures[kind]])
    },
  })
}
