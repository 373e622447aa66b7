import { Counter, Gauge, type Registry } from 'prom-client'
import { FAILURE_KINDS } from '../../limits/redis-failure.ts'
import type { SharedCounts } from '../../limits/shared-counts.ts'

/** The figures of counting in Redis; those of an instance without REDIS_URL have no values. */
export function redisFigures(registry: Registry, counts: Pick<SharedCounts, 'figures'> | undefined): void {
  const registers = [registry]
  new Gauge({
    name: 'pds_limits_shared',
    help: '1 while requests are counted together with other instances, 0 while this one counts on its own.',
    registers,
    collect() {
      if (counts === undefined) this.remove()
      else this.set(counts.figures().shared ? 1 : 0)
    },
  })
  new Counter({
    name: 'pds_redis_failures_total',
    help: 'Times that Redis was found to fail, attempts to come back included, by kind.',
    labelNames: ['kind'],
    registers,
    collect() {
      this.reset()
      if (counts === undefined) return
      const { failures } = counts.figures()
      for (const kind of FAILURE_KINDS) this.inc({ kind }, failures[kind])
    },
  })
}
