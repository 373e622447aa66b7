import { Readable } from 'node:stream'
import type { TestContext } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { buildApp } from '../../src/app/app.ts'
import { buildRegister } from '../../src/columnar/build/build-table.ts'
import { type BringIntoMemory, registerChooser } from '../../src/columnar/table-engine.ts'
import { type Config, readConfig } from '../../src/config.ts'
import { spacesByCode } from '../../src/datasets/carparks/lookup.ts'
import { DATASETS } from '../../src/datasets/index.ts'
import type { EventClientsOptions } from '../../src/http/events/event-clients.ts'
import type { AdmissionOptions } from '../../src/http/protection/load-shedding.ts'
import type { DirectAnswer } from '../../src/http/routing/direct-lane.ts'
import type { LiveEvents } from '../../src/parking/events/live-events.ts'
import { judgedEvents } from '../../src/parking/events/quality-events.ts'
import { HEALTHY, type LiveView } from '../../src/parking/live-view.ts'
import { localClock } from '../../src/parking/local-clock.ts'
import { createCarparkWatch, type RunningWatch } from '../../src/parking/model/carpark-watch.ts'
import { importDataset } from '../../src/releases/import/import.ts'
import type { ImportReport } from '../../src/releases/import/report.ts'
import { followStore, type Snapshots } from '../../src/releases/snapshots/snapshots.ts'
import { openStore } from '../../src/store/open-store.ts'
import type { HistoricReading, Observation, Store } from '../../src/store/store.ts'
import { emptyFolder } from './folder.ts'

/** A real store, closed with the test: at an address, or in a folder of its own that goes with the test. */
export async function temporaryStore(t: TestContext, databaseUrl?: string): Promise<Store> {
  const store = await openStore(databaseUrl ?? `sqlite:${await emptyFolder(t)}`)
  t.after(() => store.close())
  return store
}

/** Publishes records (as JSON) or text (as it is) as a dataset's release; fails the test where that is refused. */
export async function publish(
  store: Store,
  name: string,
  content: readonly object[] | string,
): Promise<ImportReport> {
  const dataset = DATASETS.find(candidate => candidate.name === name)
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

/** A live view that shows one observation and never polls. */
export function fixedLiveView(observation: Observation | undefined, synthetic = false): LiveView {
  return liveViewOf(() => observation, synthetic)
}

function liveViewOf(latest: LiveView['latest'], synthetic: boolean): LiveView {
  return {
    latest,
    timeSource: () => null,
    secondsToNext: () => 42,
    synthetic,
    health: () => ({ ...HEALTHY, lastGoodAt: latest()?.timestamp ?? null }),
  }
}

/** A watch of the car parks over a store and what is published in it, not started. */
export function watchOf(store: Store, snapshots: Snapshots, now: () => number = Date.now): RunningWatch {
  const records = () => {
    const carparks = snapshots.get('carparks')
    return carparks && spacesByCode(carparks)
  }
  const log = pino({ level: 'silent' })
  return createCarparkWatch({
    store: store.readings,
    clock: localClock('Europe/Jersey'),
    records,
    log,
    keepDays: undefined,
    now,
    // Tests ask what is known once all is learned, however busy the machine is.
    startWithinMs: 60_000,
  })
}

export interface Service {
  readonly app: FastifyInstance
  readonly store: Store
  readonly snapshots: Snapshots
  readonly watch: RunningWatch
  /** Has the feed tell something new. */
  readonly observe: (observation: Observation) => Promise<void>
  /** What went past the framework, in turn. */
  readonly direct: readonly DirectAnswer[]
}

/** Brings a release into memory in the test's own thread, which is quicker than to start one for each test. */
export const inThisThread: BringIntoMemory = async ({ release, contents }, layout, readyBytes) => {
  if (contents === undefined) throw new Error(`${release.dataset} is not a table`)
  return buildRegister(contents, layout, release.rows, { readyBytes })
}

export interface BuildOptions {
  /** The address of an empty store; without it one is made in a folder. */
  readonly databaseUrl?: string
  readonly environment?: Record<string, string>
  readonly observation?: Observation
  /** What is stored of the past before the service starts. */
  readonly history?: Iterable<HistoricReading>
  readonly synthetic?: boolean
  readonly admission?: AdmissionOptions
  /** What time it is for everything about live counts, milliseconds since 1970 UTC. */
  readonly now?: () => number
  readonly liveEvents?: LiveEvents
  readonly eventClients?: EventClientsOptions
}

/** The whole public app on a real store that holds what is given, ready for `inject`; it closes with the test. */
export async function build(
  t: TestContext,
  content: Readonly<Record<string, readonly object[] | string>> = {},
  options: BuildOptions = {},
): Promise<Service> {
  const store = await temporaryStore(t, options.databaseUrl)
  for (const [name, records] of Object.entries(content)) await publish(store, name, records)
  await store.readings.saveHistory(options.history ?? [])
  if (options.observation !== undefined) await store.readings.saveObservation(options.observation)
  const log = pino({ level: 'silent' })
  const config: Config = readConfig(options.environment ?? {})
  const loadTable = registerChooser(config, log, inThisThread)
  const snapshots = followStore({ store, datasets: DATASETS, log, loadTable })
  const direct: DirectAnswer[] = []
  const watch = watchOf(store, snapshots, options.now)
  let latest = options.observation
  const live = liveViewOf(() => latest, options.synthetic ?? false)
  const app = await buildApp({
    watch,
    onDirect: answer => direct.push(answer),
    ...{ config, snapshots, log, datasets: DATASETS, synthetic: options.synthetic ?? false },
    live,
    liveEvents: options.liveEvents ?? judgedEvents(live, watch),
    baseUrl: () => 'http://data.example',
    ...(options.admission === undefined ? {} : { admission: options.admission }),
    ...(options.eventClients === undefined ? {} : { eventClients: options.eventClients }),
  })
  t.after(async () => {
    await app.close()
    await watch.stop()
    await snapshots.stop()
  })
  await snapshots.start()
  await watch.start()
  if (options.observation !== undefined) watch.observe(options.observation)
  await app.ready()
  const observe = async (observation: Observation) => {
    await store.readings.saveObservation(observation)
    latest = observation
    watch.observe(observation)
  }
  return { app, store, snapshots, watch, observe, direct }
}
