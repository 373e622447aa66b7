import type { IncomingMessage } from 'node:http'
import type { Dataset, DatasetContext } from '../datasets/dataset.ts'
import { type Metadata, NOTHING_STATED } from '../datasets/metadata.ts'
import { datasetLinks } from '../datasets/origin.ts'
import type { RecordFormat } from '../formats/format.ts'
import { SERVED_FORMATS } from '../formats/formats.ts'
import { createEventClients, type EventClients, type EventClientsOptions } from '../http/event-clients.ts'
import { createHttpApp, type HttpApp } from '../http/http-app.ts'
import {
  createInnerRequests,
  createPipeline,
  type ProblemPages,
  type ResponseRecord,
} from '../http/pipeline.ts'
import { problemConverter } from '../http/problems.ts'
import { limitRate, type SharedCounter } from '../http/rate-limit.ts'
import { clientAddressReader, clientKey } from '../http/request.ts'
import { createResponseCache } from '../http/response-cache.ts'
import { createRouter, type Route, type Router } from '../http/router.ts'
import { createScheduler, type Scheduler, type SchedulerOptions } from '../http/scheduler.ts'
import {
  type UnreadResponses,
  type UnreadResponsesOptions,
  watchUnreadResponses,
} from '../http/unread-responses.ts'
import { type BulkFilesOptions, createBulkFiles } from '../interfaces/bulk/bulk-files.ts'
import { addBulkRoutes } from '../interfaces/bulk/bulk-routes.ts'
import { createCatalogue } from '../interfaces/catalogue/catalogue.ts'
import { addCatalogueRoutes } from '../interfaces/catalogue/catalogue-routes.ts'
import { addReleasesRoute } from '../interfaces/changes/changes-routes.ts'
import { addFeeds } from '../interfaces/feeds/feeds.ts'
import { addLlmsTxt } from '../interfaces/mcp/llms-txt.ts'
import { addMcp, type McpOptions } from '../interfaces/mcp/mcp.ts'
import { addOgc } from '../interfaces/ogc/ogc.ts'
import { addPlacesRoute } from '../interfaces/places/places.ts'
import { addDatasetRoutes } from '../interfaces/rest/dataset-routes.ts'
import { openApi } from '../interfaces/rest/openapi.ts'
import { addExplorer, mapTiles } from '../interfaces/web/explorer-pages.ts'
import { addOpenApiDocument } from '../interfaces/web/openapi-document.ts'
import { addSecurityTxt } from '../interfaces/web/site-files.ts'
import { addParkingRoutes } from '../parking/routes/parking-routes.ts'
import type { ParkingService } from '../parking/service.ts'
import type { Snapshots } from '../releases/snapshots/snapshots.ts'
import { relativeAddress } from '../values/addresses/address-of.ts'
import { MINUTE_MS } from '../values/time-units.ts'
import { type Comparisons, createComparisons } from './changes/comparisons.ts'
import type { CurrentReleasesOptions } from './current-releases.ts'
import { contextOf } from './dataset-context.ts'
import { logOverload, logResponse, reportConnections } from './event-log.ts'
import type { Metrics } from './metrics/metrics.ts'
import { storeProblems } from './store-problems.ts'

/** The configuration, the store and the log; optional members replace the default ones. */
export interface AppOptions extends CurrentReleasesOptions {
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
  /** When bulk files are made. */
  readonly bulkFiles?: Omit<BulkFilesOptions, 'onFailure' | 'scheduler'>
}

/** The parts of the service that the app needs. */
interface AppParts {
  readonly datasets: readonly Dataset[]
  readonly snapshots: Snapshots
  readonly parking: ParkingService
  readonly metrics: Metrics
  /** The request counts that all instances share; without them this instance counts locally. */
  readonly sharedCounts: SharedCounter | undefined
  /** The public base address, without a trailing slash; read at each use, since a port may be chosen on listening. */
  readonly baseUrl: () => string
  /** When a dataset's source was last published or found unchanged, ISO 8601 UTC; null if no source is followed. */
  readonly sourceCheckedAt: (dataset: string) => string | null
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

/** Builds the public HTTP app. It never listens; server.ts does. */
export function buildApp(options: AppOptions & AppParts): PublicApp {
  const { config, store, snapshots, metrics, log, baseUrl, onResponse } = options
  const eventClients = createEventClients({
    most: config.LIVE_STREAM_CLIENTS,
    lifetimeMs: STREAM_LIFETIME_MS,
    ...options.eventClients,
  })
  const clientAddress = clientAddressReader(config.TRUST_PROXY)
  const clientOf = (message: IncomingMessage) => clientKey(clientAddress(message))
  const { loadShedding = { maxConcurrency: store.maxConcurrency } } = options
  const scheduler = createScheduler({ onOverload: logOverload(log), ...loadShedding })
  const faults = reportConnections(log, metrics.countConnectionFault)
  const unread = watchUnreadResponses({ onReset: faults.onReset, ...options.unreadResponses })
  const address = relativeAddress(baseUrl())
  const router = createRouter({
    address,
    scheduler,
    unread,
    eventClients,
    cache: createResponseCache({ maxBytes: CHEAP_CACHE_BYTES }),
    expensiveCache: createResponseCache({ maxBytes: config.RESPONSE_CACHE_MB * 2 ** 20 }),
    linksOf: datasetLinks(options.datasets, options.metadata, address), // By tag: the dataset's name.
  })
  const comparisons = createComparisons(config)
  router.onClose(comparisons.close)
  const toProblem = problemConverter(log, storeProblems(log, metrics.countStoreError))
  const handle = limitRate(options.sharedCounts, config.RATE_LIMIT_INSTANCES)
  const inner = { get: createInnerRequests(router, handle), toProblem }
  const { document, problemPages } = addRoutes(router, options, {
    ...{ comparisons, scheduler, inner },
  })
  const pipeline = createPipeline({
    ...{ routes: router, baseUrl, scheduler, unread, toProblem, problemPages, clientOf, handle },
    onResponse(record) {
      logResponse(log, record)
      metrics.countResponse(record)
      onResponse?.(record)
    },
  })
  const app = createHttpApp({
    ...{ handle: pipeline, scheduler, clientOf, baseUrl },
    onReset: () => faults.onReset('pipelining'),
    onRefusedConnection: faults.onRefused,
    onUnreadable(status, error) {
      log.info({ event: 'request-unreadable', status, error }, 'malformed request')
      metrics.countUnreadable(status)
    },
    onClose() {
      eventClients.end()
      router.close()
    },
  })
  onServed(snapshots, options.datasets, dataset => void warm(router, dataset))
  return { ...app, eventClients, comparisons, unread, document, routes: router.routes }
}

/** The parts of the app that only some routes use. */
interface RouteParts {
  readonly comparisons: Comparisons
  readonly scheduler: Scheduler
  readonly inner: Pick<McpOptions, 'get' | 'toProblem'>
}

/** Adds all routes. Returns the builder of their OpenAPI document, and the renderer of problems as pages. */
function addRoutes(
  router: Router,
  options: AppOptions & AppParts,
  { comparisons, scheduler, inner }: RouteParts,
): { document: () => object; problemPages: ProblemPages } {
  const { config, datasets, snapshots, parking, baseUrl, sourceCheckedAt } = options
  const { metadata = NOTHING_STATED, formats = SERVED_FORMATS, synthetic = false } = options
  const unavailable = new Set(config.UNAVAILABLE_DATASETS)
  const contexts = datasets.map(dataset =>
    contextOf(dataset, { ...options, formats, comparisons, isAvailable: !unavailable.has(dataset.name) }),
  )
  for (const context of contexts) {
    addDatasetRoutes(router, context)
    // The paths of live parking begin like the paths of car parks, and live parking reads that dataset's release.
    if (context.dataset.name === 'carparks') addParkingRoutes(router, parking, context)
  }
  addPlacesRoute(router, contexts, parking)
  addBulkFiles(router, contexts, { ...options, scheduler })
  const { routes } = router
  const described = { datasets, snapshots, unavailable, metadata, formats, routes, sourceCheckedAt }
  const catalogue = createCatalogue(described)
  addReleasesRoute(router, contexts)
  const feeds = addFeeds(router, contexts, { baseUrl, metadata })
  const startedAt = new Date()
  addCatalogueRoutes(router, catalogue, { metadata, startedAt, baseUrl })
  const describe = catalogue.entries
  addOgc(router, contexts, { baseUrl, describe, metadata, startedAt })
  const site = { ...metadata, synthetic }
  addMcp(router, { catalogue, baseUrl, title: metadata.title, ...inner })
  addLlmsTxt(router, { describe, site, baseUrl })
  const document = () =>
    openApi(routes, { datasets: describe(), metadata, synthetic, baseUrl: baseUrl() || '/' })
  addOpenApiDocument(router, { describe, synthetic, startedAt, document })
  if (config.SECURITY_CONTACT !== undefined) addSecurityTxt(router, config.SECURITY_CONTACT)
  const problemPages = addExplorer(router, {
    ...{ ...inner, baseUrl, startedAt, isCounting: () => parking.health().polling },
    site: { ...site, feeds, tiles: mapTiles(config) },
  })
  return { document, problemPages }
}

/** Adds the releases as files, which are made after each switch. */
function addBulkFiles(
  router: Router,
  contexts: readonly DatasetContext[],
  { datasets, snapshots, log, bulkFiles, scheduler }: AppOptions & AppParts & Pick<RouteParts, 'scheduler'>,
): void {
  const files = createBulkFiles({
    ...bulkFiles,
    scheduler,
    onFailure: (dataset, err) =>
      log.warn({ event: 'bulk-files-failed', dataset, err }, 'the files of a release cannot be made now'),
  })
  addBulkRoutes(router, contexts, files)
  onServed(snapshots, datasets, name => {
    const context = contexts.find(({ dataset }) => dataset.name === name)
    if (context !== undefined) files.schedule(context)
  })
  router.onClose(files.stop)
}

/** Warms the caches for a dataset. A response that fails here is made at its first request. */
async function warm({ routes }: Router, dataset: string): Promise<void> {
  for (const route of routes) if (route.tag === dataset) await route.warm?.().catch(() => {})
}

/** Calls a function with each dataset that is served now, and with each whose release is switched later. */
function onServed(snapshots: Snapshots, datasets: readonly Dataset[], use: (dataset: string) => void): void {
  snapshots.onSwitch(use)
  for (const { name } of datasets) if (snapshots.get(name) !== undefined) use(name)
}
