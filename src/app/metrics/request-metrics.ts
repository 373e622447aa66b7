import type { Metric, Registry } from 'prom-client'
import { Counter } from 'prom-client'

/** Answers are made in fractions of a millisecond; what takes longer than a second is lost. */
const LATENCY_BUCKETS_S = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5]

const DURATION = {
  name: 'pds_http_request_duration_seconds',
  help: 'Time from the arrival of a request to the end of its answer.',
  type: 'histogram',
} as const

/** What is gathered of one route. */
interface Figures {
  /** Requests by method, and by status. */
  readonly requests: Map<string, Map<number, number>>
  /** Requests whose duration lies between the bound before and this one; the last place is beyond all bounds. */
  readonly durations: Float64Array
  seconds: number
}

/**
 * Counts requests and their durations by route for a registry. The library's own metrics look up each observation by
 * its labels, which takes longer than many an answer: here that happens when figures are asked for.
 */
export function requestFigures(registry: Registry) {
  const byRoute = new Map<string, Figures>()

  new Counter({
    name: 'pds_http_requests_total',
    help: 'Requests answered, by route, method and status.',
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
  const histogram = { ...DURATION, get: async () => ({ ...DURATION, values: histogramValues(byRoute) }) }
  registry.registerMetric(histogram as unknown as Metric)

  return {
    /** Counts one request; `seconds` is left out where nobody knows how long it took. */
    count(route: string, method: string, status: number, seconds?: number): void {
      const figures = byRoute.get(route) ?? begin(byRoute, route)
      const byStatus = figures.requests.get(method) ?? new Map<number, number>()
      if (byStatus.size === 0) figures.requests.set(method, byStatus)
      byStatus.set(status, (byStatus.get(status) ?? 0) + 1)
      if (seconds === undefined) return
      figures.seconds += seconds
      let place = 0
      while (seconds > (LATENCY_BUCKETS_S[place] ?? Number.POSITIVE_INFINITY)) place++
      figures.durations[place] = (figures.durations[place] ?? 0) + 1
    },
  }
}

function begin(byRoute: Map<string, Figures>, route: string): Figures {
  const durations = new Float64Array(LATENCY_BUCKETS_S.length + 1)
  const figures: Figures = { requests: new Map(), durations, seconds: 0 }
  byRoute.set(route, figures)
  return figures
}

/** The series of the histogram as Prometheus has them: each bucket counts those of the buckets before it as well. */
function histogramValues(byRoute: ReadonlyMap<string, Figures>) {
  return [...byRoute].flatMap(([route, { durations, seconds }]) => {
    let count = 0
    const buckets = [...durations].map((inBucket, place) => {
      count += inBucket
      const le = LATENCY_BUCKETS_S[place] ?? '+Inf'
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
