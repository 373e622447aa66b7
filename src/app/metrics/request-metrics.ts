import type { Metric, Registry } from 'prom-client'
import { Counter } from 'prom-client'
import { PROBLEMS } from '../../errors.ts'
import type { ResponseRecord } from '../../http/pipeline.ts'
import { register } from './part-metrics.ts'

/** Typical responses take fractions of a millisecond. */
const LATENCY_BUCKETS_S = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5]

const DURATION = {
  name: 'pds_http_request_duration_seconds',
  help: 'Time from the arrival of a request to the end of its response.',
  type: 'histogram',
  aggregator: 'sum',
} as const

/** The route of requests whose path cannot be decoded, and of malformed HTTP. */
export const UNREADABLE = 'unreadable'

type CountedResponse = Pick<ResponseRecord, 'route' | 'method' | 'status' | 'ms' | 'problem'>

/** The statistics of one route. */
interface RouteStatistics {
  /** Requests by method, and by status. */
  readonly requests: Map<string, Map<number, number>>
  /** Requests per bucket, not cumulative; the last is beyond all bounds. */
  readonly durations: Float64Array
  seconds: number
}

/**
 * Registers the counter and the duration histogram of requests. The library's own metrics look up labels for each observation,
 * which takes longer than many responses. Here, labels are looked up only at each scrape.
 */
export function requestMetrics(registry: Registry) {
  const byRoute = new Map<string, RouteStatistics>()
  // From 0 on, so that Prometheus sees the first one as an increase.
  const problems = new Map<string, number>(Object.keys(PROBLEMS).map(code => [code, 0]))

  new Counter({
    name: 'pds_http_requests_total',
    help: 'Responses, by route, method and status.',
    labelNames: ['route', 'method', 'status'],
    registers: [registry],
    collect() {
      this.reset()
      for (const [route, { requests }] of byRoute) {
        for (const [method, byStatus] of requests) {
          for (const [status, count] of byStatus) this.inc({ route, method, status }, count)
        }
      }
    },
  })
  const help = 'Responses with a problem, by its code.'
  register(registry, { name: 'pds_http_problems_total', help, label: 'code', values: () => problems })
  const histogram = { ...DURATION, get: async () => ({ ...DURATION, values: histogramValues(byRoute) }) }
  registry.registerMetric(histogram as unknown as Metric)

  return {
    /** Counts one request. The method and duration of an unreadable request are unknown. */
    count({ route, method: sent, status, ms, problem }: CountedResponse): void {
      if (problem !== undefined) problems.set(problem, (problems.get(problem) ?? 0) + 1)
      const method = route === UNREADABLE ? 'unknown' : sent
      const statistics = byRoute.get(route) ?? addRoute(byRoute, route)
      const byStatus = statistics.requests.get(method) ?? new Map<number, number>()
      if (byStatus.size === 0) statistics.requests.set(method, byStatus)
      byStatus.set(status, (byStatus.get(status) ?? 0) + 1)
      if (route === UNREADABLE) return
      const seconds = ms / 1000
      statistics.seconds += seconds
      let bucket = 0
      while (seconds > (LATENCY_BUCKETS_S[bucket] ?? Number.POSITIVE_INFINITY)) bucket++
      statistics.durations[bucket] = (statistics.durations[bucket] ?? 0) + 1
    },
  }
}

function addRoute(byRoute: Map<string, RouteStatistics>, route: string): RouteStatistics {
  const durations = new Float64Array(LATENCY_BUCKETS_S.length + 1)
  const statistics: RouteStatistics = { requests: new Map(), durations, seconds: 0 }
  byRoute.set(route, statistics)
  return statistics
}

/** The series of the histogram for Prometheus, with cumulative buckets. */
function histogramValues(byRoute: ReadonlyMap<string, RouteStatistics>) {
  return [...byRoute].flatMap(([route, { durations, seconds }]) => {
    let count = 0
    const buckets = [...durations].map((inBucket, bucket) => {
      count += inBucket
      const le = LATENCY_BUCKETS_S[bucket] ?? '+Inf'
      return { metricName: `${DURATION.name}_bucket`, labels: { le, route }, value: count }
    })
    if (count === 0) return []
    return [
      ...buckets,
      { metricName: `${DURATION.name}_sum`, labels: { route }, value: seconds },
      { metricName: `${DURATION.name}_count`, labels: { route }, value: count },
    ]
  })
}
