import { Readable } from 'node:stream'
import type { TestContext } from 'node:test'
import { type InjectOptions, inject, type Response } from 'light-my-request'
import { type Logger, pino } from 'pino'
import type { PublicApp } from '../../src/app/app.ts'
import { compose } from '../../src/app/compose.ts'
import type { Metrics } from '../../src/app/metrics/metrics.ts'
import { type Config, readConfig } from '../../src/config.ts'
import type { Dataset } from '../../src/datasets/dataset.ts'
import { DATASETS } from '../../src/datasets/index.ts'
import type { Metadata } from '../../src/datasets/metadata.ts'
import type { RecordFormat } from '../../src/formats/format.ts'
import type { EventClientsOptions } from '../../src/http/event-clients.ts'
import type { ResponseRecord } from '../../src/http/pipeline.ts'
import type { SchedulerOptions } from '../../src/http/scheduler.ts'
import type { UnreadResponsesOptions } from '../../src/http/unread-responses.ts'
import { createParkingService, type ParkingService } from '../../src/parking/service.ts'
import type { ConfiguredSource } from '../../src/publishing/sources-file.ts'
import { importDataset } from '../../src/releases/import/import.ts'
import type { ImportReport } from '../../src/releases/import/report.ts'
import type { Snapshots } from '../../src/releases/snapshots/snapshots.ts'
import { type TableOptions, tableOptions } from '../../src/store/engine.ts'
import { openStore } from '../../src/store/open-store.ts'
import type { HistoricReading, Observation, Store } from '../../src/store/store.ts'
import { emptyFolder } from './folder.ts'
import { START_WITHIN_MS, testFeed } from './parking-service.ts'

/** A real store, closed with the test: at an address, or in a folder of its own that goes with the test. */
export async function temporaryStore(
  t: TestContext,
  databaseUrl?: string,
  tables?: TableOptions,
): Promise<Store> {
  const store = await openStore(databaseUrl ?? `sqlite:${await emptyFolder(t)}`, { tables })
  t.after(() => store.close())
  return store
}

/** Publishes records (as JSON) or text (as it is) as a dataset's release; fails the test where that is refused. */
export async function publish(
  store: Store,
  name: string,
  content: readonly object[] | string,
  datasets: readonly Dataset[] = DATASETS,
): Promise<ImportReport> {
  const dataset = datasets.find(candidate => candidate.name === name)
  if (dataset === undefined) throw new Error(`no dataset ${name}`)
  const text = typeof content === 'string' ? content : JSON.stringify({ results: content })
  const report = await importDataset({
    store,
    dataset,
    source: 'test',
    input: Readable.from([Buffer.from(text)]),
    force: true,
  })
  if (report.outcome === 'refused')
    throw new Error(`${name}: ${report.reason} ${JSON.stringify(report.rejections)}`)
  return report
}

/** An app that answers requests without a socket. */
export interface TestApp extends PublicApp {
  inject(request: string | InjectOptions): Promise<Response>
}

/** The same for all injected requests, so that their responses can be compared. */
export const TRACEPARENT = `00-${'1'.repeat(32)}-${'2'.repeat(16)}-00`

/** Makes an app take requests without a socket. */
export const injectable = (app: PublicApp): TestApp => ({
  ...app,
  inject: request => {
    const { headers, ...rest } = typeof request === 'string' ? { url: request } : request
    return inject(app.handle, { ...rest, headers: { traceparent: TRACEPARENT, ...headers } })
  },
})

export interface Service {
  readonly app: TestApp
  readonly store: Store
  readonly snapshots: Snapshots
  readonly parking: ParkingService
  readonly metrics: Metrics
  /** Has the feed tell something new. */
  readonly observe: (observation: Observation) => Promise<void>
  /** Each response, in turn, as the log and the metrics get it. */
  readonly responses: readonly ResponseRecord[]
}

const HOUR_MS = 3_600_000

/** A machine that runs other tests too may keep requests waiting: nothing is refused for that unless a test asks. */
const PATIENT = { maxWaitMs: HOUR_MS, queueTimeoutMs: 20_000 }

export interface BuildOptions {
  /** Without it all datasets of the service. */
  readonly datasets?: readonly Dataset[]
  /** The address of an empty store; without it one is made in a folder. */
  readonly databaseUrl?: string
  readonly environment?: Record<string, string>
  readonly observation?: Observation
  /** What is stored of the past before the service starts. */
  readonly history?: Iterable<HistoricReading>
  readonly synthetic?: boolean
  /** What the operator states; without it nothing. */
  readonly metadata?: Metadata
  readonly loadShedding?: SchedulerOptions
  /** Without it nothing is logged. */
  readonly log?: Logger
  /** What time it is for everything about live counts, milliseconds since 1970 UTC. */
  readonly now?: () => number
  /** Holds back the stored readings of car parks until it resolves; the start does not wait. */
  readonly historyHeldUp?: Promise<void>
  /** In place of what the parking service knows. */
  readonly live?: Partial<Pick<ParkingService, 'current' | 'subscribe' | 'health'>>
  readonly eventClients?: Partial<EventClientsOptions>
  /** The clock by which clients are too slow. */
  readonly unreadResponses?: Pick<UnreadResponsesOptions, 'now'>
  /** The sources to follow; none if absent. */
  readonly sources?: readonly ConfiguredSource[]
  /** The folder for bulk files. */
  readonly filesFolder?: string | undefined
  /** Formats for lists and counts in place of those that are served. */
  readonly formats?: readonly RecordFormat[]
}

const heldUp = (readings: Store['readings'], until: Promise<void>): Store['readings'] => ({
  ...readings,
  readings: range => until.then(() => readings.readings(range)),
})

/** Tables are queried by SQL on PostgreSQL alone. */
async function addressFor({ TABLE_ENGINE }: Config): Promise<string | undefined> {
  if (TABLE_ENGINE === 'memory') return undefined
  const { cluster } = await import('./postgres.ts')
  return (await cluster()).emptyDatabase()
}

/** The whole public app on a real store that holds what is given, ready for `inject`; it closes with the test. */
export async function build(
  t: TestContext,
  content: Readonly<Record<string, readonly object[] | string>> = {},
  options: BuildOptions = {},
): Promise<Service> {
  const config = readConfig({ BASE_URL: 'http://data.example', ...options.environment })
  const databaseUrl = options.databaseUrl ?? (await addressFor(config))
  const store = await temporaryStore(t, databaseUrl, tableOptions(config))
  for (const [name, records] of Object.entries(content)) await publish(store, name, records, options.datasets)
  await store.readings.saveHistory(options.history ?? [])
  if (options.observation !== undefined) await store.readings.saveObservation(options.observation)
  const responses: ResponseRecord[] = []
  const {
    environment: _environment,
    history: _history,
    observation,
    live,
    now,
    historyHeldUp,
    ...parts
  } = options
  const feed = testFeed()
  const service = compose({
    // Files for download are made where a test asks for them: making them holds leases.
    ...{ store, loadShedding: PATIENT },
    // No client is slow: time does not pass for it.
    ...{ unreadResponses: { now: () => 0 }, ...parts },
    config,
    log: options.log ?? pino({ level: 'silent' }),
    onResponse: record => void responses.push(record),
    createParking(given) {
      const { createFeed } = feed
      const parking = { ...given, createFeed, startWithinMs: START_WITHIN_MS, ...(now && { now }) }
      if (historyHeldUp !== undefined)
        Object.assign(parking, { startWithinMs: 1, store: heldUp(given.store, historyHeldUp) })
      return { ...createParkingService(parking), ...live }
    },
  })
  const { app, snapshots, parking, metrics } = service
  t.after(() => service.stop({ patient: false }))
  await service.start()
  await parking.started()
  if (observation !== undefined) feed.observe(observation)
  const observe = async (next: Observation) => {
    await store.readings.saveObservation(next)
    feed.observe(next)
  }
  return { app: injectable(app), store, snapshots, parking, metrics, observe, responses }
}
