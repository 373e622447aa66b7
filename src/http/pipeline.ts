import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { Problem, type ProblemCode } from '../errors.ts'
import type { MaybePromise } from '../values/promises.ts'
import { allowedMethods, DEFAULT_HEADERS, preflightHeaders } from './default-headers.ts'
import { methodNotAllowed, problemResponse } from './problems.ts'
import {
  arrivalOf,
  createBodyReader,
  type ParsedRequest,
  pathOf,
  queryStringOf,
  requireUnambiguous,
  traceOf,
} from './request.ts'
import { type PreparedResponse, send } from './response.ts'
import type { Match, RouteTable } from './router.ts'
import type { Scheduler } from './scheduler.ts'
import type { UnreadResponses } from './unread-responses.ts'

/** One response, for the log and the metrics; it never identifies the client. */
export interface ResponseRecord {
  readonly method: string
  /** The path pattern; `unknown` if no route has the path, `unreadable` if the path cannot be decoded. */
  readonly route: string
  readonly url: string
  readonly status: number
  /** The code of an error. */
  readonly problem?: ProblemCode | undefined
  /** Identifies the request in the log, in problems and across services. */
  readonly traceId: string
  /** From the arrival of the request until its response was handed to the socket, or until a stream ended. */
  readonly ms: number
}

interface PipelineOptions {
  readonly routes: Pick<RouteTable, 'match'>
  /** The public base address; read at each use. */
  readonly baseUrl: () => string
  /** Converts any error to the problem that the client gets. */
  readonly toProblem: (error: unknown, traceId: string) => Problem
  readonly problemPages?: ProblemPages
  /** Identifies the client for limits and shares. */
  readonly clientOf: (message: IncomingMessage) => string
  readonly onResponse: (record: ResponseRecord) => void
  /** Shares the time for large bodies among clients. */
  readonly scheduler: Pick<Scheduler, 'inLaterTurn'>
  /** Watches the responses that clients have not read yet. */
  readonly unread?: Pick<UnreadResponses, 'watch'>
  readonly defaultHeaders?: readonly string[]
}

/** Problems as pages. */
export interface ProblemPages {
  /** The headers of the page at a URL. They replace the default headers of the route. */
  readonly headersAt: (url: string) => readonly string[]
  /** Renders a problem as a page. Undefined if the client does not prefer pages; rejects while there is no time to render. */
  readonly pageOf: (
    problem: Problem,
    message: IncomingMessage,
    client: () => string,
  ) => Promise<PreparedResponse> | undefined
}

/** A request on its way through the pipeline. */
interface Exchange {
  readonly message: IncomingMessage
  readonly response: ServerResponse
  /** When the request arrived, by `performance.now()`. */
  readonly arrival: number
  readonly trace: ReturnType<typeof traceOf>
  /** Headers of the response, whether the request succeeds or fails. */
  readonly responseHeaders: string[]
  route: string
  defaultHeaders: readonly string[]
}

/**
 * Creates the pipeline that every request passes: route -> the route's own limit and steps -> send. Only the pipeline turns
 * errors into problems, adds default headers, and logs and counts responses.
 */
export function createPipeline(options: PipelineOptions): RequestListener {
  const { routes, clientOf, baseUrl, toProblem, problemPages, onResponse } = options
  const { scheduler, unread, defaultHeaders = DEFAULT_HEADERS } = options
  const readBody = createBodyReader()

  function respond(exchange: Exchange): MaybePromise<PreparedResponse> {
    const { message, response, responseHeaders } = exchange
    const { url = '', method, headers } = message
    requireUnambiguous(message)
    // The next bytes may be in the protocol of the upgrade.
    if (headers.upgrade !== undefined) response.shouldKeepAlive = false
    if (method === 'OPTIONS') return preflight(exchange)
    const { route, params } = routeOf(exchange, url)
    const { accepts } = route
    if (accepts === undefined ? method !== 'GET' && method !== 'HEAD' : method !== 'POST')
      throw methodNotAllowed(allowedMethods(route))
    const request = {
      url,
      queryString: queryStringOf(url),
      headers,
      params,
      responseHeaders,
      client: () => clientOf(message),
      response,
    }
    if (accepts === undefined) return route.handle(request)
    const read = readBody(message, response, accepts)
    return read.then(body => route.handle({ ...request, body }))
  }

  function routeOf(exchange: Exchange, url: string): Match {
    try {
      const match = routes.match(pathOf(url))
      exchange.route = match.route.path
      exchange.defaultHeaders = match.route.defaultHeaders ?? defaultHeaders
      return match
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'NOT_FOUND') exchange.route = 'unreadable'
      throw error
    }
  }

  function preflight(exchange: Exchange): PreparedResponse {
    exchange.defaultHeaders = []
    const { headers, url = '' } = exchange.message
    const requested = headers['access-control-request-headers']
    return { status: 204, headers: preflightHeaders(requested, methodsAt(url)) }
  }

  function methodsAt(url: string): string {
    try {
      return allowedMethods(routes.match(pathOf(url)).route)
    } catch {
      return allowedMethods({})
    }
  }

  function finish(exchange: Exchange, prepared: PreparedResponse): void {
    const { message, response, responseHeaders, arrival, route, trace } = exchange
    const complete = withDefaults(prepared, exchange.defaultHeaders)
    const headers = [...complete, ...trace.header, ...responseHeaders]
    const done = () => {
      const { method = '', url = '' } = message
      const { status, problem } = prepared
      const ms = performance.now() - arrival
      onResponse({ method, route, url, status, problem, traceId: trace.id, ms })
    }
    send(response, prepared, { headers, done, unread, scheduler, client: () => clientOf(message) })
  }

  function fail(exchange: Exchange, error: unknown): void {
    const { message, trace } = exchange
    const problem = toProblem(error, trace.id)
    const asJson = () => problemResponse(problem, message.url ?? '', baseUrl(), trace.id)
    const page = problemPages?.pageOf(problem, message, () => clientOf(message))
    if (page === undefined || problemPages === undefined) {
      finish(exchange, asJson())
      return
    }
    page.then(
      made => {
        exchange.defaultHeaders = problemPages.headersAt(message.url ?? '')
        finish(exchange, made)
      },
      () => finish(exchange, asJson()),
    )
  }

  return (message, response) => {
    const arrival = arrivalOf(message)
    const exchange = {
      message,
      response,
      arrival,
      trace: traceOf(message.headers.traceparent),
      responseHeaders: [],
      route: 'unknown',
      defaultHeaders,
    }
    let prepared: MaybePromise<PreparedResponse>
    try {
      prepared = respond(exchange)
    } catch (error) {
      fail(exchange, error)
      return
    }
    if (prepared instanceof Promise)
      prepared.then(
        made => finish(exchange, made),
        error => fail(exchange, error),
      )
    else finish(exchange, prepared)
  }
}

/** Puts the default headers before the response's own, only once for a cached response that is sent many times. */
function withDefaults(prepared: PreparedResponse, defaults: readonly string[]): readonly string[] {
  if (prepared.complete?.defaults !== defaults)
    prepared.complete = { defaults, headers: defaults.concat(prepared.headers) }
  return prepared.complete.headers
}

/** The response of the service to itself. */
interface InnerResponse {
  /** Names in lower case, alternating with values. */
  readonly headers: readonly string[]
  readonly body: Buffer
}

/** Requests a path on behalf of another request's client, whose limits apply. Throws problems. */
export type Get = (url: string, outer: Pick<ParsedRequest, 'client' | 'response'>) => Promise<InnerResponse>

/**
 * Creates a function that requests the service's own endpoints for an interface, with the same limits and caches as any
 * request.
 */
export function createInnerRequests(routes: Pick<RouteTable, 'match'>): Get {
  return async (url, { client, response }) => {
    const { route, params } = routes.match(pathOf(url))
    const responseHeaders: string[] = []
    const request = {
      url,
      queryString: queryStringOf(url),
      headers: {},
      params,
      responseHeaders,
      client,
      response,
    }
    const { headers, body } = await route.handle(request)
    if (!Buffer.isBuffer(body)) throw new TypeError(`${url} is a stream`)
    return { headers, body }
  }
}
