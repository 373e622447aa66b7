import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { carparks } from '../datasets/carparks/index.ts'
import { spacesByCode } from '../datasets/carparks/lookup.ts'
import type { Dataset } from '../datasets/dataset.ts'
import { DATASETS } from '../datasets/index.ts'
import type { HttpApp } from '../http/http-app.ts'
import { createSharedCounts } from '../limits/shared-counts.ts'
import { tellIncidents } from '../notifications/incidents.ts'
import { createNotifier } from '../notifications/notifier.ts'
import { createParkingService, type ParkingOptions, type ParkingService } from '../parking/service.ts'
import { importInThread } from '../publishing/import-thread.ts'
import type { ConfiguredSource } from '../publishing/sources-file.ts'
import { followSources } from '../releases/schedule/follow-sources.ts'
import type { Snapshots } from '../releases/snapshots/snapshots.ts'
import { type Store, StoreUnusableError } from '../store/store.ts'
import { buildAdmin } from './admin.ts'
import { type AppOptions, buildApp, type PublicApp } from './app.ts'
import { followCurrentReleases } from './current-releases.ts'
import { readJournals } from './journal-page.ts'
import { createMetrics, type Metrics } from './metrics/metrics.ts'
import { readiness } from './readiness.ts'
import { stopGently } from './shutdown.ts'
import { reportStoreConflicts } from './store-problems.ts'
import { createWatch } from './watch.ts'
import type { WorkerLink } from './workers/worker.ts'

/** The options of a service; optional parts replace the default ones. */
export interface ServiceOptions extends AppOptions {
  readonly config: Config
  readonly store: Store
  readonly log: Logger
  readonly datasets?: readonly Dataset[]
  /** How many lines of the log were dropped so far. */
  readonly logLinesDropped?: () => number
  /** The current releases, if they are followed already. */
  readonly snapshots?: Snapshots
  /** The sources to follow; none if absent. */
  readonly sources?: readonly ConfiguredSource[]
  readonly createParking?: (options: ParkingOptions) => ParkingService
  /** The connection to the primary process, where this process is one of several workers. */
  readonly worker?: WorkerLink | undefined
}

/** The whole service. Its caller makes it listen and handles signals. */
export interface Service {
  readonly app: PublicApp
  /** The operator's listener. */
  readonly admin: HttpApp
  readonly snapshots: Snapshots
  readonly parking: ParkingService
  readonly metrics: Metrics
  /**
   * Loads the current releases and subscribes to the store. Then live parking starts, and requests for it wait. The sources
   * are followed.
   */
  start(): Promise<void>
  /** Sets the public base address, unless the configuration has one. */
  listensOn(url: string): void
  /** Stops without losing a request, and closes the store. `patient` waits until a load balancer has noticed. */
  stop(options: { patient: boolean }): Promise<void>
}

/** Composes the service from its parts, for `pds serve`, the demo and the tests alike. */
export function compose(options: ServiceOptions): Service {
  const { config, store, log, datasets = DATASETS, synthetic = false, sources: configured = [] } = options
  const { createParking = createParkingService, snapshots = followCurrentReleases(options) } = options
  const { logLinesDropped = () => 0, worker } = options
  const { REDIS_URL, NOTIFY_URL, NOTIFY_SECRET, NOTIFY_AFTER_H: afterHours } = config
  let url = config.BASE_URL?.replace(/(?<!\/)\/+$/, '') ?? ''
  let stopping = false
  const baseUrl = () => url
  const metrics = createMetrics()
  const parking = createParking({
    config,
    log,
    synthetic,
    store: store.readings,
    coordination: store.coordination ?? worker?.coordination,
    records() {
      const served = snapshots.get(carparks.name)
      return served && spacesByCode(served)
    },
    onPoll: metrics.countPoll,
    onNotSaved: metrics.countNotSaved,
  })
  const countSourceFailure = metrics.sourceFailures(configured)
  // Without sources, this instance must not hold the lease of an instance that has them.
  const sources =
    configured.length === 0
      ? undefined
      : followSources({
          sources: configured,
          states: store.sources,
          leases: store.leases,
          log,
          importSource: importInThread(config, configured),
          onOutcome: () => watch.look(),
          onFailure: countSourceFailure,
        })
  const notifier =
    NOTIFY_URL === undefined
      ? undefined
      : createNotifier({
          webhook: { url: NOTIFY_URL, secret: NOTIFY_SECRET },
          log,
          onOutcome: metrics.countNotification,
        })
  const tell = notifier && tellIncidents(store.incidents, notifier)
  const watch = createWatch({
    store,
    datasets,
    snapshots,
    parking,
    sources,
    afterHours,
    tell,
    tellsOfMachine: worker?.leads,
  })
  const sharedCounts = REDIS_URL === undefined ? undefined : createSharedCounts({ url: REDIS_URL, log })
  const sourceOf = (name: string) => sources?.status().find(({ dataset }) => dataset === name)?.state
  const app = buildApp(
    {
      config,
      store,
      log,
      datasets,
      snapshots,
      parking,
      metrics,
      sharedCounts,
      countRequest: worker?.count,
      baseUrl,
      sourceOf,
    },
    options,
  )
  const { eventClients, unread } = app
  const answering = {
    readiness: () => readiness({ datasets, snapshots, parking, sources, stopping }),
    sources: () => sources?.status() ?? [],
    journals: () => readJournals(store, datasets),
  }
  metrics.observe({
    datasets,
    snapshots,
    parking,
    sources,
    watch,
    sharedCounts,
    eventClients,
    unread,
    logLinesDropped,
    sharesStore: store.coordination !== undefined,
    isReady: () => answering.readiness().ready,
  })
  const admin = buildAdmin({
    ...answering,
    metrics: () => metrics.registry.metrics(),
    token: config.ADMIN_TOKEN,
    baseUrl,
    log,
  })
  worker?.answer({ ...answering, metrics: () => metrics.registry.getMetricsAsJSON() })
  store.onConflict?.(reportStoreConflicts(log, metrics.countStoreConflict))
  const sweep = createSweep(store, log)
  snapshots.onStoreRecovery(() => {
    void sweep()
    void parking.reload()
  })
  return {
    app,
    admin,
    snapshots,
    parking,
    metrics,
    async start() {
      await sweep()
      await Promise.all([snapshots.start(), sharedCounts?.start()])
      void parking.start()
      sources?.start()
      watch.start()
    },
    listensOn(listening) {
      if (url === '') url = listening
    },
    async stop({ patient }) {
      stopping = true
      watch.stop()
      const told = notifier?.stop()
      await stopGently(app, { patient, waitForOthers: worker?.waitForOthers })
      sharedCounts?.close()
      await Promise.all([admin.close(), parking.stop(), sources?.stop(), snapshots.stop(), told])
      await store.close()
    },
  }
}

/** Creates a function that cleans up killed imports in the store; each call retries until one has succeeded. */
function createSweep({ releases }: Store, log: Logger): () => Promise<void> {
  let hasSwept = false
  return async () => {
    if (hasSwept) return
    try {
      await releases.sweep()
      hasSwept = true
    } catch (err) {
      const level = err instanceof StoreUnusableError ? 'warn' : 'error'
      log[level]({ event: 'sweep-failed', err }, 'the files of killed imports could not be removed')
    }
  }
}
