import type { Registry } from 'prom-client'
import { FAILURE_KINDS } from '../../limits/redis-failure.ts'
import type { SharedCounts } from '../../limits/shared-counts.ts'
import { counter, gauge } from './collected.ts'

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
