import type { IncomingMessage } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { Dataset } from '../datasets/dataset.ts'
import { type Metadata, NOTHING_STATED } from '../datasets/metadata.ts'
import { datasetLinks } from '../datasets/origin.ts'
import type { RecordFormat } from '../formats/format.ts'
import { SERVED_FORMATS } from '../formats/formats.ts'
import { createEventClients, type EventClients, type EventClientsOptions } from '../http/event-clients.ts'
import { createHttpApp, type HttpApp } from '../http/http-app.ts'
import { createInnerRequests, createPipeline, type ResponseRecord } from '../http/pipeline.ts'
import { problemConverter } from '../http/problems.ts'
import { limitRate, type SharedCounter } from '../http/rate-limit.ts'
import { clientAddressReader, clientKey } from '../http/request.ts'
import { createResponseCache } from '../http/response-cache.ts'
import { createRouter, type Route } from '../http/router.ts'
import { createScheduler, type SchedulerOptions } from '../http/scheduler.ts'
import {
  type UnreadResponses,
  type UnreadResponsesOptions,
  watchUnreadResponses,
} from '../http/unread-responses.ts'
import { createBulkFiles } from '../interfaces/bulk/bulk-files.ts'
import { addBulkRoutes } from '../interfaces/bulk/bulk-routes.ts'
import { createCatalogue } from '../interfaces/catalogue/catalogue.ts'
import { addCatalogueRoutes } from '../interfaces/catalogue/catalogue-routes.ts'
import { addReleasesRoute } from '../interfaces/changes/changes-routes.ts'
import { addFeeds } from '../interfaces/feeds/feeds.ts'
import { addLlmsTxt } from '../interfaces/mcp/llms-txt.ts'
import { addMcp } from '../interfaces/mcp/mcp.ts'
import { addOgc } from '../interfaces/ogc/ogc.ts'
import { addPlacesRoute } from '../interfaces/places/places.ts'
import { addDatasetRoutes } from '../interfaces/rest/dataset-routes.ts'
import { openApi } from '../interfaces/rest/openapi.ts'
import { addExplorer } from '../interfaces/web/explorer-pages.ts'
import { addBaseMap } from '../interfaces/web/map-file.ts'
import { addOpenApiDocument } from '../interfaces/web/openapi-document.ts'
import { addSecurityTxt } from '../interfaces/web/site-files.ts'
import type { CountRequest } from '../limits/allowances.ts'
import { afterStart } from '../parking/routes/parking-context.ts'
import { addParkingRoutes } from '../parking/routes/parking-routes.ts'
import type { ParkingService } from '../parking/service.ts'
import type { Snapshots } from '../releases/snapshots/snapshots.ts'
import type { SourceState, Store } from '../store/store.ts'
import { relativeAddress } from '../values/addresses/address-of.ts'
import { MINUTE_MS } from '../values/time-units.ts'
import { type Comparisons, createComparisons } from './changes/comparisons.ts'
import { contextOf } from './dataset-context.ts'
import { logOverload, logResponse, reportConnections } from './http-log.ts'
import type { Metrics } from './metrics/metrics.ts'
import { storeProblems } from './store-problems.ts'

/** The operator's statements, and parts that tests replace. */
export interface AppOptions {
  /** The operator's statements about the service and its data; if absent, no publisher or contact is named. */
  readonly metadata?: Metadata
  /** True for the demo: every page and the documentation carry a warning. */
  readonly synthetic?: boolean
  /** Called with each response. */
  readonly onResponse?: (record: ResponseRecord) => void
  /** The formats of lists and counts, in addition to JSON. */
  readonly formats?: readonly RecordFormat[]
  /** Limits of work. */
  readonly loadShedding?: SchedulerOptions
  /** The limits of stream clients. */
  readonly eventClients?: Partial<EventClientsOptions>
  /** The clock that decides which clients are too slow. */
  readonly unreadResponses?: Pick<UnreadResponsesOptions, 'now'>
  /** The folder for bulk files, where other processes share it. */
  readonly filesFolder?: string | undefined
}

/** The parts of the service that the app needs. */
interface AppParts {
  readonly config: Config
  readonly store: Store
  readonly log: Logger
  readonly datasets: readonly Dataset[]
  readonly snapshots: Snapshots
  readonly parking: ParkingService
  readonly metrics: Metrics
  /** The request counts that all instances share; without them this instance counts locally. */
  readonly sharedCounts: SharedCounter | undefined
  /** Counts requests without shared counts; by default, this process counts its own. */
  readonly countRequest: CountRequest | undefined
  /** The public base address, without a trailing slash; read at each use, since a port may be chosen on listening. */
  readonly baseUrl: () => string
  /** The state of a dataset's source; undefined if none is followed, or before its first check. */
  readonly sourceOf: (dataset: string) => SourceState | undefined
}

/** The public HTTP app, with the parts that metrics and tests read. */
export interface PublicApp extends HttpApp {
  readonly eventClients: EventClients
  readonly comparisons: Pick<Comparisons, 'close'>
  readonly unread: UnreadResponses
  readonly routes: readonly Route[]
  /** The OpenAPI document. */
  readonly document: () => object
}

/** Enough for all cheap lists: there are few. */
const CHEAP_CACHE_BYTES = 16 * 2 ** 20

/** The longest time that a client holds a place among streams after it vanished without closing its connection. */
const STREAM_LIFETIME_MS = 10 * MINUTE_MS

/** Builds the public HTTP app: what all routes share, then the routes of each interface, then the way of a request to them. */
export function buildApp(parts: AppParts, options: AppOptions): PublicApp {
  const { config, store, log, datasets, snapshots, parking, metrics, sharedCounts, countRequest } = parts
  const { baseUrl, sourceOf } = parts
  const { metadata = NOTHING_STATED, synthetic = false, formats = SERVED_FORMATS } = options
  const startedAt = new Date()

  const clientAddress = clientAddressReader(config.TRUST_PROXY)
  const clientOf = (message: IncomingMessage) => clientKey(clientAddress(message))
  const faults = reportConnections(log, metrics.countConnectionFault)
  const scheduler = createScheduler({
    maxConcurrency: store.maxConcurrency,
    onOverload: logOverload(log),
    ...options.loadShedding,
  })
  const unread = watchUnreadResponses({ onReset: faults.onReset, ...options.unreadResponses })
  const eventClients = createEventClients({
    most: config.LIVE_STREAM_CLIENTS,
    lifetimeMs: STREAM_LIFETIME_MS,
    ...options.eventClients,
  })
  const address = relativeAddress(baseUrl())
  const router = createRouter({
    address,
    scheduler,
    unread,
    eventClients,
    cache: createResponseCache({ maxBytes: CHEAP_CACHE_BYTES }),
    expensiveCache: createResponseCache({ maxBytes: config.RESPONSE_CACHE_MB * 2 ** 20 }),
    linksOf: datasetLinks(datasets, metadata, address), // By tag: the dataset's name.
    limited: limitRate(sharedCounts, config.RATE_LIMIT_INSTANCES, countRequest),
  })
  const { routes } = router
  const toProblem = problemConverter(log, storeProblems(log, metrics.countStoreError))
  const get = createInnerRequests(router)

  const comparisons = createComparisons(config)
  const unavailable = new Set(config.UNAVAILABLE_DATASETS)
  const contexts = datasets.map(dataset => {
    const isAvailable = !unavailable.has(dataset.name)
    return contextOf(dataset, { config, store, snapshots, comparisons, formats, isAvailable })
  })
  const catalogue = createCatalogue({
    datasets,
    snapshots,
    unavailable,
    metadata,
    formats,
    routes,
    sourceOf,
  })
  const describe = catalogue.entries
  const files = createBulkFiles({
    scheduler,
    folder: options.filesFolder,
    onFailure: (dataset, err) =>
      log.warn({ event: 'bulk-files-failed', dataset, err }, 'a file of a release cannot be made now'),
  })
  const document = () =>
    openApi(routes, { datasets: describe(), metadata, synthetic, baseUrl: baseUrl() || '/' })
  const site = { ...metadata, synthetic }

  const waiting = afterStart(router, parking)
  for (const context of contexts) {
    addDatasetRoutes(router, context)
    addParkingRoutes(waiting, context, parking)
  }
  addPlacesRoute(waiting, contexts, parking)
  addBulkRoutes(router, contexts, files, parking)
  addReleasesRoute(router, contexts)
  const feeds = addFeeds(router, contexts, { baseUrl, metadata })
  addCatalogueRoutes(router, catalogue, { metadata, startedAt, baseUrl })
  addOgc(router, contexts, { baseUrl, describe, metadata, startedAt })
  addMcp(router, { catalogue, baseUrl, title: metadata.title, get, toProblem })
  addLlmsTxt(router, { describe, site, baseUrl })
  addOpenApiDocument(router, { describe, synthetic, startedAt, document })
  if (config.SECURITY_CONTACT !== undefined) addSecurityTxt(router, config.SECURITY_CONTACT)
  const problemPages = addExplorer(router, {
    get,
    toProblem,
    baseUrl,
    startedAt,
    isCounting: () => parking.health().polling,
    site: { ...site, feeds, baseMap: addBaseMap(router, config, log) },
  })

  const onResponse = (record: ResponseRecord) => {
    logResponse(log, record)
    metrics.countResponse(record)
    options.onResponse?.(record)
  }
  const pipeline = createPipeline({
    routes: router,
    baseUrl,
    scheduler,
    unread,
    toProblem,
    problemPages,
    clientOf,
    onResponse,
  })
  const app = createHttpApp({
    handle: pipeline,
    scheduler,
    clientOf,
    baseUrl,
    onReset: () => faults.onReset('pipelining'),
    onRefusedConnection: faults.onRefused,
    onUnreadable(status, error, traceId) {
      log.info({ event: 'request-unreadable', status, error, traceId }, 'malformed request')
      metrics.countUnreadable(status)
    },
    onClose() {
      eventClients.end()
      comparisons.close()
      files.stop()
      router.close()
    },
  })
  async function listen(address: Parameters<HttpApp['listen']>[0]): Promise<string> {
    const url = await app.listen(address)
    let warming = Promise.resolve()
    onServed(snapshots, datasets, name => {
      // One dataset after another: compressing all at once would leave no thread to requests.
      warming = warming.then(() => warm(routes, name))
      const context = contexts.find(({ dataset }) => dataset.name === name)
      if (context !== undefined) files.retire(context)
    })
    return url
  }
  return { ...app, listen, eventClients, comparisons, unread, document, routes }
}

/** Warms the caches for a dataset, with pauses for requests. A response that fails here is made at its first request. */
async function warm(routes: readonly Route[], dataset: string): Promise<void> {
  for (const route of routes) {
    if (route.tag !== dataset || route.warm === undefined) continue
    const before = performance.eventLoopUtilization()
    await route.warm().catch(() => {})
    await pause(performance.eventLoopUtilization(before).active)
  }
}

/** Calls a function with each dataset that is served now, and with each whose release is switched later. */
function onServed(snapshots: Snapshots, datasets: readonly Dataset[], use: (dataset: string) => void): void {
  snapshots.onSwitch(use)
  for (const { name } of datasets) if (snapshots.get(name) !== undefined) use(name)
}
