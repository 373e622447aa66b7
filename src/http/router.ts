import findMyWay from 'find-my-way'
import { Problem } from '../errors.ts'
import type { MaybePromise } from '../values/promises.ts'
import { nearest } from '../values/text.ts'
import type { EventClients } from './event-clients.ts'
import { MAX_PARAMETER_LENGTH } from './limits.ts'
import type { Operation } from './operation.ts'
import type { AcceptedBody, ParsedRequest } from './request.ts'
import type { PreparedResponse } from './response.ts'
import type { ResponseCache } from './response-cache.ts'
import type { Scheduler } from './scheduler.ts'
import type { UnreadResponses } from './unread-responses.ts'

/** Parts that all routes share. */
export interface SharedParts {
  /** Makes the address of a path, relative to the host. */
  readonly address: (path: string) => string
  /** Runs work, or refuses it under overload. */
  readonly scheduler: Pick<Scheduler, 'run' | 'charge'>
  /** Makes room for streams. */
  readonly unread: Pick<UnreadResponses, 'admit'>
  /** Cached responses of cheap endpoints and of documents. */
  readonly cache: ResponseCache
  /** Cached responses of expensive endpoints, bounded by RESPONSE_CACHE_MB. */
  readonly expensiveCache: ResponseCache
  readonly eventClients: EventClients
  /** Entries of the header Link for all data with a tag, by whether the data is synthetic. */
  readonly linksOf: (tag: string, synthetic: boolean) => string | undefined
}

/** The route table, with the parts that endpoints, event streams and pages need. */
export interface Router extends RouteTable {
  readonly shared: SharedParts
  /** Registers a callback for when the app closes. */
  onClose(callback: () => void): void
  close(): void
}

/** Creates a router without routes. */
export function createRouter(shared: SharedParts): Router {
  const closing: (() => void)[] = []
  return {
    ...createRouteTable(shared.address),
    shared,
    onClose: callback => void closing.push(callback),
    close() {
      for (const callback of closing) callback()
    },
  }
}

/** A path pattern and its handler: of GET and HEAD, or of POST alone. */
export interface Route {
  /** The pattern: variable parts are `:name`. It names the route in metrics. */
  readonly path: string
  /** The tag of its operation. */
  readonly tag?: string
  /** The limit of requests per hour and client, which routes of the same name share; `perHour` 0 = no limit. */
  readonly limit?: { readonly name: string; readonly perHour: number }
  /** The headers of every response of this route, instead of the default ones. */
  readonly defaultHeaders?: readonly string[] | undefined
  /** The bodies that POST takes. If absent, the route takes GET and HEAD, and reads no body. */
  readonly accepts?: AcceptedBody
  /** The OpenAPI description of the route; absent for pages and assets. */
  readonly operation?: Operation | undefined
  /** Handles a request. Throws problems. */
  readonly handle: (request: ParsedRequest) => MaybePromise<PreparedResponse>
  /** Renders, compresses and caches the response without parameters, before any request. */
  readonly warm?: (() => Promise<void>) | undefined
}

/** A route, and the variable parts of the path by name. */
export interface Match {
  readonly route: Route
  readonly params: Readonly<Record<string, string>>
}

/** The routes of an app by path. */
export interface RouteTable {
  add(route: Route): void
  readonly routes: readonly Route[]
  /**
   * Finds the route of a path; a trailing slash is tolerated. Throws NOT_FOUND for an unknown path, BAD_REQUEST if the path
   * cannot be decoded, and URI_TOO_LONG if a part is too long.
   */
  match(path: string): Match
}

/** Creates an empty route table; `address` shows a path to clients. */
export function createRouteTable(address = (path: string) => path): RouteTable {
  const tree = findMyWay({
    ignoreTrailingSlash: true,
    maxParamLength: MAX_PARAMETER_LENGTH,
    onBadUrl: unreadable,
    onMaxParamLength: tooLong,
  } as findMyWay.Config<findMyWay.HTTPVersion.V1>)
  const routes: Route[] = []
  const paths: string[] = []
  return {
    routes,
    add(route) {
      routes.push(route)
      paths.push(route.path)
      tree.on('GET', route.path, () => {}, route)
    },
    match(path) {
      const found = tree.find('GET', path)
      if (found === null) throw unknownPath(path, paths, address)
      const route: Route | null = found.store
      // For a malformed path, find-my-way returns a handler without a route.
      if (!route) throw (found.handler as unknown as () => Problem)()
      return { route, params: found.params as Record<string, string> }
    },
  }
}

/** Well-behaved clients do not send such paths, so the connection is closed. */
const closes = { headers: { connection: 'close' } }
const unreadable = () =>
  new Problem('BAD_REQUEST', 'The percent-encoding of the path is not valid UTF-8.', closes)
const tooLong = () =>
  new Problem('URI_TOO_LONG', `A part of the path is longer than ${MAX_PARAMETER_LENGTH} characters.`, closes)

function unknownPath(path: string, paths: readonly string[], address: SharedParts['address']): Problem {
  const meant = nearestPath(path, paths)?.replaceAll(/:(\w+)/g, '{$1}')
  return new Problem(
    'NOT_FOUND',
    meant === undefined ? 'No such path.' : `No such path. Did you mean ${address(meant)}?`,
  )
}

/** The nearest path, if the rest after the common first parts is near too: long paths share much with any other. */
function nearestPath(path: string, paths: readonly string[]): string | undefined {
  const meant = nearest(path, paths)
  if (meant === undefined) return undefined
  const [parts, meantParts] = [path.toLowerCase().split('/'), meant.toLowerCase().split('/')]
  const differs = parts.findIndex((part, index) => part !== meantParts[index])
  const rest = (of: readonly string[]) => of.slice(differs).join('/')
  const isShorter = meantParts.length <= differs
  return isShorter || nearest(rest(parts), [rest(meantParts)]) !== undefined ? meant : undefined
}
