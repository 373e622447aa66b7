import closeWithGrace from 'close-with-grace'
import type { Logger } from 'pino'
import { tableLoader } from '../columnar/table-engine.ts'
import { type Config, ConfigError } from '../config.ts'
import { spacesByCode } from '../datasets/carparks/lookup.ts'
import { DATASETS } from '../datasets/index.ts'
import { createSharedCounts } from '../limits/shared-counts.ts'
import { createParkingService } from '../parking/service.ts'
import { followStore } from '../releases/snapshots/snapshots.ts'
import { type Store, StoreUnusableError } from '../store/store.ts'
import { nearest } from '../values/nearest.ts'
import { buildAdmin } from './admin.ts'
import { buildApp } from './app.ts'
import { createMetrics } from './metrics/metrics.ts'
import { readiness } from './readiness.ts'
import { stopGently } from './shutdown.ts'

export interface ServerOptions {
  readonly config: Config
  readonly store: Store
  readonly log: Logger
  /** True for the demo. */
  readonly synthetic?: boolean
}

export interface Server {
  /** Where the public listener listens, such as `http://127.0.0.1:8080`. */
  readonly url: string
  /** Where the admin listener listens; undefined where it is off. */
  readonly adminUrl: string | undefined
  close(): Promise<void>
}

/** Longest time from a signal to the end of the process. */
const GRACE_MS = 9000

/**
 * Serves what the store holds, until a signal. Resolves when both listeners listen. On SIGTERM or SIGINT it finishes
 * what is under way and ends the process.
 */
export async function startServer({ config, store, log, synthetic = false }: ServerOptions): Promise<Server> {
  requireKnownDatasets(config.UNAVAILABLE_DATASETS)
  let url = config.BASE_URL?.replace(/\/+$/, '') ?? ''
  let stopping = false
  const baseUrl = () => url
  const loadTable = tableLoader(config, log)
  const snapshots = followStore({ store, datasets: DATASETS, log, loadTable })
  const parking = createParkingService({
    ...{ config, log, synthetic },
    store: store.readings,
    coordination: store.coordination,
    records() {
      const carparks = snapshots.get('carparks')
      return carparks && spacesByCode(carparks)
    },
    onPoll: poll => metrics.countPoll(poll),
  })
  const { REDIS_URL } = config
  const sharedCounts = REDIS_URL === undefined ? undefined : createSharedCounts({ url: REDIS_URL, log })
  const metrics = createMetrics({ datasets: DATASETS, snapshots, parking, sharedCounts })
  const sweep = async () => {
    const removed = await store.releases.sweep().catch((error: unknown) => noteUnswept(log, error))
    hasSwept ||= removed !== undefined
  }
  let hasSwept = false
  await sweep()
  snapshots.onStoreRecovery(() => {
    if (!hasSwept)
      sweep().catch((err: unknown) =>
        log.error({ event: 'sweep-failed', err }, 'the sweep of killed imports failed'),
      )
    void parking.reload()
  })
  // A worker thread builds the columnar table while the app is built here.
  const loaded = Promise.all([snapshots.start(), sharedCounts?.start()])
  const app = buildApp({
    ...{ config, snapshots, parking, log, baseUrl, synthetic },
    eventClients: { most: config.LIVE_STREAM_CLIENTS },
    datasets: DATASETS,
    sharedCounts,
    loadShedding: { maxConcurrency: store.maxConcurrency },
    onUnreadable: metrics.countUnreadable,
    onResponse: metrics.countResponse,
    onStoreError: metrics.countStoreError,
  })
  metrics.observeStreams(app.eventClients)
  const admin = buildAdmin({
    registry: metrics.registry,
    readiness: () => readiness({ datasets: DATASETS, snapshots, parking, stopping }),
    ...{ baseUrl, log },
  })

  await loaded
  await parking.start()
  const { HOST: host, PORT, ADMIN_PORT } = config
  const listening = await app.listen({ host, port: PORT })
  if (url === '') url = listening
  const adminUrl = ADMIN_PORT === 0 ? undefined : await admin.listen({ host, port: ADMIN_PORT })

  const close = async (patient: boolean) => {
    stopping = true
    await stopGently(app, { patient })
    sharedCounts?.close()
    await Promise.all([admin.close(), parking.stop(), snapshots.stop()])
    await store.close()
  }
  closeWithGrace({ delay: GRACE_MS, logger: log }, async ({ err, signal }) => {
    if (err) log.fatal({ err }, 'stopping after an error that nothing caught')
    else log.info({ signal }, 'stopping')
    // Somebody at the keyboard does not wait for a load balancer.
    await close(signal === 'SIGTERM')
  })
  log.info({ url: listening, adminUrl }, 'listening')
  return { url: listening, adminUrl, close: () => close(false) }
}

/** A store that is away is swept when it is back. */
function noteUnswept(log: Logger, error: unknown): undefined {
  if (!(error instanceof StoreUnusableError)) throw error
  log.warn({ event: 'sweep-failed', err: error }, 'the store cannot be swept of killed imports yet')
}

/** A dataset with a slip in its name would go on being served, which is the opposite of what the operator wants. */
function requireKnownDatasets(names: readonly string[]): void {
  const known = DATASETS.map(({ name }) => name)
  const unknown = names.find(name => !known.includes(name))
  if (unknown === undefined) return
  const meant = nearest(unknown, known)
  throw new ConfigError(
    `UNAVAILABLE_DATASETS names "${unknown.slice(0, 100)}", which is no dataset${meant === undefined ? '' : ` (${meant} is near it)`}; allowed: ${known.join(', ')}, joined by commas`,
  )
}
