import { Counter, collectDefaultMetrics, Registry } from 'prom-client'
import type { EventClients } from '../../http/events/event-clients.ts'
import type { ResponseRecord } from '../../http/pipeline.ts'
import type { UnreadResponses } from '../../http/protection/unread-responses.ts'
import type { SharedCounts } from '../../limits/shared-counts.ts'
import { NOTIFICATION_OUTCOMES, type NotificationOutcome } from '../../notifications/notifier.ts'
import type { PollResult } from '../../parking/feed/poller.ts'
import type { ParkingService } from '../../parking/service.ts'
import {
  SOURCE_FAILURES,
  type SourceFailure,
  type SourceFollower,
} from '../../releases/schedule/follow-sources.ts'
import type { Snapshots } from '../../releases/snapshots/snapshots.ts'
import { CONNECTION_RESETS, type ConnectionFaults } from '../connection-log.ts'
import { STORE_ERRORS, type StoreErrorReason } from '../store-problems.ts'
import type { Watch } from '../watch.ts'
import { counter, gauge } from './collected.ts'
import { parkingMetrics, redisMetrics, releaseMetrics, sourceMetrics, storeMetrics } from './part-metrics.ts'
import { requestMetrics, UNREADABLE } from './request-metrics.ts'

/** The parts of the service whose state the metrics show. */
export interface ObservedParts {
  readonly datasets: readonly { name: string }[]
  readonly snapshots: Snapshots
  readonly parking: Pick<ParkingService, 'health' | 'model'>
  readonly sources: Pick<SourceFollower, 'status'> | undefined
  readonly sharedCounts: Pick<SharedCounts, 'metrics'> | undefined
  readonly eventClients: Pick<EventClients, 'figures'>
  readonly unread: Pick<UnreadResponses, 'bytes'>
  readonly watch: Pick<Watch, 'disk'>
  readonly logLinesDropped: () => number
}

/** The service's metrics: events, counted as they happen, and the state of its parts, once `observe` adds them. */
export interface Metrics {
  readonly registry: Registry
  /** Counts one response by route, method and status, with its latency. */
  countResponse(record: ResponseRecord): void
  /** Counts one response to malformed HTTP. */
  countUnreadable(status: number): void
  /** Counts one request that failed in the store. */
  countStoreError(reason: StoreErrorReason): void
  /** Counts one transaction of the store that is run again. */
  countStoreConflict(): void
  /** Count one connection that was reset or refused. */
  readonly countConnectionFault: ConnectionFaults
  /** Counts one poll of the feed. */
  countPoll(poll: PollResult): void
  /** Counts one live reading that could not be saved. */
  countNotSaved(): void
  /** Counts one attempt to follow a source that did not succeed. */
  countSourceFailure(reason: SourceFailure): void
  /** Counts what became of a notification, or that it is sent again. */
  countNotification(outcome: NotificationOutcome): void
  /** Adds the metrics that show the state of these parts at each scrape. */
  observe(parts: ObservedParts): void
}

let ofProcess: Registry | undefined

/** The memory, processor and event loop of this process. Its observers never end, so it has them once. */
function processMetrics(): Registry {
  if (ofProcess !== undefined) return ofProcess
  ofProcess = new Registry()
  collectDefaultMetrics({ register: ofProcess })
  return ofProcess
}

/** Creates the metrics for Prometheus. Labels have route patterns, so that no client can create new series. */
export function createMetrics(): Metrics {
  const registry = Registry.merge([processMetrics()])
  const requests = requestMetrics(registry)
  const polls = counterBy('outcome', {
    name: 'pds_feed_polls_total',
    help: 'Polls of the live feed, by outcome: ok, or the kind of failure.',
  })
  const notSaved = new Counter({
    name: 'pds_readings_not_saved_total',
    help: 'Attempts to save a live reading that failed.',
    registers: [registry],
  })
  const sourceFailures = counterBy('reason', {
    name: 'pds_source_failures_total',
    help: 'Attempts to follow a source that did not succeed, by reason.',
  })
  for (const reason of SOURCE_FAILURES) sourceFailures.inc({ reason }, 0)
  const storeErrors = counterBy('reason', {
    name: 'pds_store_errors_total',
    help: 'Requests that failed in the store, by reason.',
  })
  const storeConflicts = new Counter({
    name: 'pds_store_conflicts_total',
    help: 'Transactions run again because the database ended them for others.',
    registers: [registry],
  })
  for (const reason of STORE_ERRORS) storeErrors.inc({ reason }, 0)
  const resets = counterBy('reason', {
    name: 'pds_http_connections_reset_total',
    help: 'Connections reset because their clients left responses unread, by reason.',
  })
  for (const reason of CONNECTION_RESETS) resets.inc({ reason }, 0)
  const refused = new Counter({
    name: 'pds_http_connections_refused_total',
    help: 'Connections refused because too many were open.',
    registers: [registry],
  })

  const notifications = counterBy('outcome', {
    name: 'pds_notifications_total',
    help: 'Notifications by what became of them, and attempts to send them again.',
  })
  for (const outcome of NOTIFICATION_OUTCOMES) notifications.inc({ outcome }, 0)

  function counterBy(label: string, about: { name: string; help: string }) {
    return new Counter({ ...about, labelNames: [label], registers: [registry] })
  }

  return {
    registry,
    countResponse: requests.count,
    countUnreadable: status => requests.count({ route: UNREADABLE, method: '', status, ms: 0 }),
    countStoreConflict: () => storeConflicts.inc(),
    countStoreError: reason => storeErrors.inc({ reason }),
    countConnectionFault: { onReset: reason => resets.inc({ reason }), onRefused: () => refused.inc() },
    countSourceFailure: reason => sourceFailures.inc({ reason }),
    countNotSaved: () => notSaved.inc(),
    countPoll: poll => polls.inc({ outcome: poll.ok ? 'ok' : poll.kind }),
    countNotification: outcome => notifications.inc({ outcome }),
    observe(parts) {
      const { datasets, snapshots, parking, sources, sharedCounts, eventClients, unread, watch } = parts
      const { logLinesDropped } = parts
      releaseMetrics(registry, datasets, snapshots)
      storeMetrics(registry, snapshots)
      parkingMetrics(registry, parking)
      sourceMetrics(registry, sources)
      redisMetrics(registry, sharedCounts)
      streamMetrics(registry, eventClients)
      gauge(
        registry,
        'pds_http_unread_bytes',
        'Memory held by responses that clients have not taken.',
        unread.bytes,
      )
      gauge(
        registry,
        'pds_disk_free_bytes',
        "Bytes that may still be written to the disk of the store's folder.",
        () => watch.disk()?.freeBytes,
      )
      counter(
        registry,
        'pds_log_lines_dropped_total',
        'Lines of the log dropped because standard output did not take them.',
        logLinesDropped,
      )
    },
  }
}

function streamMetrics(registry: Registry, { figures }: ObservedParts['eventClients']): void {
  gauge(registry, 'pds_stream_clients', 'Clients connected to an event stream.', () => figures().connected)
  counter(
    registry,
    'pds_stream_clients_dropped_total',
    'Stream clients disconnected because they did not read, or were gone without closing their connection.',
    () => figures().dropped,
  )
  counter(
    registry,
    'pds_stream_clients_refused_total',
    'Stream clients refused because LIVE_STREAM_CLIENTS, or a tenth of it for one client, were connected.',
    () => figures().refused,
  )
}
