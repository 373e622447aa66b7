import { Counter, collectDefaultMetrics, Registry } from 'prom-client'
import { NOTIFICATION_OUTCOMES } from '../../notifications/notifier.ts'
import type { PollResult } from '../../parking/feed/poller.ts'
import { SOURCE_FAILURES, type SourceFailure } from '../../releases/schedule/follow-sources.ts'
import { CONNECTION_RESETS } from '../http-log.ts'
import { STORE_ERRORS } from '../store-problems.ts'
import { type ObservedParts, showParts } from './part-metrics.ts'
import { requestMetrics, UNREADABLE } from './request-metrics.ts'

let ofProcess: Registry | undefined

/** The memory, processor and event loop of this process. Registered once, since the observers never end. */
function processMetrics(): Registry {
  if (ofProcess !== undefined) return ofProcess
  ofProcess = new Registry()
  collectDefaultMetrics({ register: ofProcess })
  return ofProcess
}

/** The service's metrics: events, counted as they happen, and the state of its parts, once `observe` adds them. */
export type Metrics = ReturnType<typeof createMetrics>

/** Creates the metrics for Prometheus. Labels have route patterns, so that no client can create new series. */
export function createMetrics() {
  const registry = Registry.merge([processMetrics()])
  const requests = requestMetrics(registry)

  /** Registers a counter, and returns the function that counts one event. */
  function counter(name: string, help: string): () => void {
    const events = new Counter({ name, help, registers: [registry] })
    return () => events.inc()
  }

  /** Registers a counter by a label, at 0 for the known values, and returns the function that counts one event. */
  function counterBy<V extends string>(
    label: string,
    values: readonly V[],
    name: string,
    help: string,
  ): (value: V) => void {
    const events = new Counter({ name, help, labelNames: [label], registers: [registry] })
    for (const value of values) events.inc({ [label]: value }, 0)
    return value => events.inc({ [label]: value })
  }

  const countPoll = counterBy<string>(
    'outcome',
    [],
    'pds_feed_polls_total',
    'Polls of the live feed, by outcome: ok, or the kind of failure.',
  )

  return {
    registry,
    /** Counts one response by route, method and status, with its latency. */
    countResponse: requests.count,
    /** Counts one response to malformed HTTP. */
    countUnreadable: (status: number) => requests.count({ route: UNREADABLE, method: '', status, ms: 0 }),
    countPoll: (poll: PollResult) => countPoll(poll.ok ? 'ok' : poll.kind),
    countNotSaved: counter('pds_readings_not_saved_total', 'Attempts to save a live reading that failed.'),
    /** Registers the followed sources, and returns the function that counts a failed attempt of one. */
    sourceFailures(sources: readonly { readonly dataset: string }[]) {
      const name = 'pds_source_failures_total'
      const help = 'Attempts to follow a source that did not succeed, by dataset and reason.'
      const events = new Counter({ name, help, labelNames: ['dataset', 'reason'], registers: [registry] })
      for (const { dataset } of sources)
        for (const reason of SOURCE_FAILURES) events.inc({ dataset, reason }, 0)
      return (dataset: string, reason: SourceFailure) => events.inc({ dataset, reason })
    },
    countStoreError: counterBy(
      'reason',
      STORE_ERRORS,
      'pds_store_errors_total',
      'Requests that failed in the store, by reason.',
    ),
    countStoreConflict: counter(
      'pds_store_conflicts_total',
      'Transactions run again because the database ended them for others.',
    ),
    countConnectionFault: {
      onReset: counterBy(
        'reason',
        CONNECTION_RESETS,
        'pds_http_connections_reset_total',
        'Connections reset because their clients left responses unread, by reason.',
      ),
      onRefused: counter(
        'pds_http_connections_refused_total',
        'Connections refused because too many were open.',
      ),
    },
    /** Counts the outcome of a notification, or another attempt to send it. */
    countNotification: counterBy(
      'outcome',
      NOTIFICATION_OUTCOMES,
      'pds_notifications_total',
      'Notifications by what became of them, and attempts to send them again.',
    ),
    /** Adds the metrics that show the state of these parts at each scrape. */
    observe: (parts: ObservedParts) => showParts(registry, parts),
  }
}
