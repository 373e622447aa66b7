import cors from '@fastify/cors'
import helmet from '@fastify/helmet'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { Dataset, DatasetContext } from '../datasets/dataset.ts'
import { Problem } from '../errors.ts'
import type { EventClientsOptions } from '../http/events/event-clients.ts'
import { prepareEventStreams } from '../http/events/event-stream.ts'
import { clientErrorHandler } from '../http/protection/client-errors.ts'
import { HTTP_LIMITS } from '../http/protection/limits.ts'
import type { AdmissionOptions } from '../http/protection/load-shedding.ts'
import { registerRateLimits } from '../http/protection/rate-limit.ts'
import { passOverBodies, refuseAmbiguousRequests } from '../http/request/request-rules.ts'
import { frameworkErrorHandler, handleErrors } from '../http/response/error-handler.ts'
import { ProblemBody } from '../http/response/problem-response.ts'
import { type DirectAnswer, openDirectLane } from '../http/routing/direct-lane.ts'
import { announceMethods, refuseOtherMethods } from '../http/routing/methods.ts'
import { createSwitchboard } from '../http/routing/switchboard.ts'
import { addCatalogue, describeDatasets } from '../interfaces/catalogue/catalogue.ts'
import { addDatasetRoutes } from '../interfaces/rest/dataset-routes.ts'
import { documentApp } from '../interfaces/rest/openapi.ts'
import { addPages } from '../interfaces/web/pages.ts'
import { parkingNow } from '../interfaces/web/parking-now.ts'
import type { SharedCounts } from '../limits/shared-counts.ts'
import { addParkingRoutes } from '../parking/routes/parking-routes.ts'
import { publishedCarParks } from '../parking/routes/published-car-parks.ts'
import type { ParkingService } from '../parking/service.ts'
import { readUnder } from '../releases/snapshots/leases.ts'
import type { Snapshots } from '../releases/snapshots/snapshots.ts'
import { answered, logAnswer, logRequests } from './request-log.ts'
import { type StoreErrorReason, storeProblems } from './store-problems.ts'

export interface AppOptions {
  readonly config: Pick<
    Config,
    | 'PAGE_LIMIT_MAX'
    | 'VEHICLES_RATE_LIMIT'
    | 'RATE_LIMIT_INSTANCES'
    | 'UNAVAILABLE_DATASETS'
    | 'TRUST_PROXY'
    | 'RESPONSE_CACHE_MB'
  >
  readonly datasets: readonly Dataset[]
  readonly snapshots: Snapshots
  readonly parking: ParkingService
  readonly log: Logger
  /** The public base address, without a trailing slash; asked at each use, since a port may be chosen on listening. */
  readonly baseUrl: () => string
  /** Called with the status of each answer to what never became a request, which no hook sees. */
  readonly onUnreadable?: (status: number) => void
  /** Called with each answer that went past the framework, which no hook sees. */
  readonly onDirect?: (answer: DirectAnswer) => void
  /** Called with each request that the store could not answer. */
  readonly onStoreError?: (reason: StoreErrorReason) => void
  /** Where all instances count requests together; without it this one counts on its own. */
  readonly sharedCounts?: Pick<SharedCounts, 'count'> | undefined
  /** How much costly work is let in. */
  readonly admission?: AdmissionOptions
  /** How many clients may follow streams. */
  readonly eventClients?: EventClientsOptions
  /** True for the demo: every page and the documentation say so. */
  readonly synthetic: boolean
}

/** How long a consumer is asked to wait for a dataset that is not there, in seconds. */
const RETRY_AFTER_S = 60

/** Builds the public HTTP app. It never listens; server.ts does. */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const {
    config,
    datasets,
    snapshots,
    parking,
    log,
    baseUrl,
    synthetic,
    onUnreadable = () => {},
    onDirect = () => {},
    onStoreError = () => {},
    sharedCounts,
    admission = {},
    eventClients = {},
  } = options
  const app: FastifyInstance = Fastify({
    ...HTTP_LIMITS,
    loggerInstance: log as FastifyBaseLogger,
    // operations/request-log.ts logs requests, without addresses.
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: config.TRUST_PROXY.length > 0 ? [...config.TRUST_PROXY] : false,
    frameworkErrors: frameworkErrorHandler(baseUrl, (request, reply) => {
      logAnswer(log, answered(request, reply))
      onUnreadable(reply.statusCode)
    }),
    clientErrorHandler: clientErrorHandler(baseUrl, (status, error) => {
      log.info({ status, error }, 'a request that cannot be read')
      onUnreadable(status)
    }),
  })
  const switchboard = createSwitchboard({
    answerCacheBytes: config.RESPONSE_CACHE_MB * 2 ** 20,
    admission: { onOverload: tellOverload(log), ...admission },
  })
  app.decorate('switchboard', switchboard)
  const tell = (answer: DirectAnswer) => {
    logAnswer(log, answer)
    onDirect(answer)
  }
  app.server.on('connection', () => switchboard.admission.noteConnection())
  openDirectLane(app.server, switchboard, { baseUrl, onAnswered: tell })
  prepareEventStreams(app, { ...eventClients, onBegun: tell })
  // Parameters are read by http/parameters.ts and bodies are rendered by their own schema: schemas document here.
  app.setValidatorCompiler(() => () => true)
  app.setSerializerCompiler(() => value => JSON.stringify(value))
  app.addSchema(ProblemBody)

  const paths = new Set<string>()
  app.addHook('onRoute', route => {
    if (route.method === 'GET') paths.add(route.url)
  })
  handleErrors(app, { baseUrl, paths: () => [...paths], foreseen: storeProblems(log, onStoreError) })
  refuseAmbiguousRequests(app)
  passOverBodies(app)
  logRequests(app, log)
  announceMethods(app)
  await app.register(cors, CORS)
  await app.register(helmet, SECURITY)
  await registerRateLimits(app, { shared: sharedCounts, instances: config.RATE_LIMIT_INSTANCES })
  await documentApp(app, { datasets, synthetic, baseUrl: baseUrl() || '/' })

  const unavailable = new Set(config.UNAVAILABLE_DATASETS)
  for (const dataset of datasets) {
    const requireInService = () => {
      if (unavailable.has(dataset.name))
        throw unavailableDataset(`${dataset.title}: taken out of service by the operator.`)
    }
    const context: DatasetContext = {
      dataset,
      requireInService,
      snapshotIfAny: () => snapshots.get(dataset.name),
      release: () => snapshots.get(dataset.name)?.release,
      snapshot() {
        requireInService()
        return snapshots.get(dataset.name) ?? refuseUnserved(dataset, snapshots)
      },
      readSnapshot(read) {
        requireInService()
        return readUnder(snapshots.acquire(dataset.name) ?? refuseUnserved(dataset, snapshots), read)
      },
      pageLimitMax: config.PAGE_LIMIT_MAX,
      vehiclesRateLimit: config.VEHICLES_RATE_LIMIT,
    }
    addDatasetRoutes(app, context)
    // Live parking has its addresses under those of the car parks, and looks its car parks up in their release.
    if (dataset.name === 'carparks') addParkingRoutes(app, parking, publishedCarParks(context))
  }
  const describe = () => describeDatasets(datasets, snapshots, unavailable)
  const startedAt = new Date()
  addCatalogue(app, describe, startedAt)
  const parkingPage = () => parkingNow(parking, !unavailable.has('carparks'))
  await addPages(app, { describe, parking: parkingPage, synthetic, startedAt })
  refuseOtherMethods(app, [...paths])
  snapshots.onSwitch(dataset => void switchboard.prepare(dataset))
  for (const { name } of datasets) if (snapshots.get(name) !== undefined) void switchboard.prepare(name)
  return app
}

function unavailableDataset(detail: string): Problem {
  return new Problem('DATASET_UNAVAILABLE', detail, { headers: { 'retry-after': String(RETRY_AFTER_S) } })
}

function refuseUnserved({ name, title }: Dataset, snapshots: Snapshots): never {
  const hindered = snapshots.health(name).damaged !== null || snapshots.storeFailure() !== null
  throw unavailableDataset(
    `${title}: ${hindered ? 'what was published cannot be served now' : 'not published yet'}.`,
  )
}

const tellOverload = (log: Logger) => (overloaded: boolean, refused: number) => {
  if (overloaded) log.warn('more is asked than can be answered: what would wait too long is refused')
  else log.info({ refused }, 'everything that is asked can be answered again')
}

/** Any page may read the data; a preflight is asked once a day. */
const CORS = {
  origin: '*',
  methods: ['GET', 'HEAD', 'OPTIONS'],
  maxAge: 86_400,
  strictPreflight: false,
  exposedHeaders: [
    'ETag',
    'Link',
    'RateLimit',
    'RateLimit-Policy',
    'Retry-After',
    'Ignored-Parameters',
    'Synthetic-Data',
  ],
}

/** Pages run no script but the documentation's own; data may be embedded anywhere. */
const SECURITY = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      styleSrc: ["'self'"],
      imgSrc: ["'self'", 'data:'],
      baseUri: ["'none'"],
      formAction: ["'none'"],
      frameAncestors: ["'none'"],
    },
  },
  crossOriginResourcePolicy: { policy: 'cross-origin' as const },
  // Plain HTTP on one machine is a normal way to run this; whoever ends TLS sets HSTS.
  strictTransportSecurity: false,
}
