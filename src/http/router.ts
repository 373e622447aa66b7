import findMyWay from 'find-my-way'
import type { TSchema } from 'typebox'
import { Problem } from '../errors.ts'
import type { MaybePromise } from '../values/promises.ts'
import { nearest, nearestOf } from '../values/text.ts'
import type { EventClients } from './event-clients.ts'
import { MAX_PARAMETER_LENGTH } from './limits.ts'
import type { Parameters } from './parameters.ts'
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
  /** Gives a route the handler that enforces its limit. */
  readonly limited: (route: Route) => Route
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
  const table = createRouteTable(shared.address)
  return {
    ...table,
    add: route => table.add(shared.limited(route)),
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

/** The OpenAPI description of a route. */
export interface Operation {
  readonly operationId: string
  readonly tag: string
  readonly summary: string
  readonly description?: string | undefined
  readonly parameters: Parameters
  /** Parameters that many operations share; each is described once. */
  readonly shared?: Parameters
  /** Schema of the variable parts of the path. */
  readonly params?: TSchema | undefined
  /** Schemas of request headers, by name. */
  readonly headers?: Readonly<Record<string, TSchema>> | undefined
  /** Schemas of the body by media type. */
  readonly content: Readonly<Record<string, TSchema>>
  /** Statuses of the operation's problems, in addition to the ones of every endpoint. */
  readonly problems: readonly number[]
  /** False if responses have no validators, so that 304 never occurs. */
  readonly isConditional: boolean
  /** True where parts of the body can be requested by Range. */
  readonly isRanged?: boolean
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
  let nearestPath: ReturnType<typeof nearestPathOf> | undefined
  return {
    routes,
    add(route) {
      routes.push(route)
      nearestPath = undefined
      tree.on('GET', route.path, () => {}, route)
    },
    match(path) {
      const found = tree.find('GET', path)
      if (found === null) {
        nearestPath ??= nearestPathOf(routes)
        throw unknownPath(nearestPath(path), address)
      }
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

function unknownPath(nearestPath: string | undefined, address: SharedParts['address']): Problem {
  const meant = nearestPath?.replaceAll(/:(\w+)/g, '{$1}')
  return new Problem(
    'NOT_FOUND',
    meant === undefined ? 'No such path.' : `No such path. Did you mean ${address(meant)}?`,
  )
}

/** Finds the nearest path, if the rest after the common first parts is near too: long paths share much with any other. */
function nearestPathOf(routes: readonly Route[]): (path: string) => string | undefined {
  const nearestTo = nearestOf(routes.map(({ path }) => path))
  return path => {
    const meant = nearestTo(path)
    if (meant === undefined) return undefined
    const [parts, meantParts] = [path.toLowerCase().split('/'), meant.toLowerCase().split('/')]
    const differs = parts.findIndex((part, index) => part !== meantParts[index])
    const rest = (of: readonly string[]) => of.slice(differs).join('/')
    const isShorter = meantParts.length <= differs
    return isShorter || nearest(rest(parts), [rest(meantParts)]) !== undefined ? meant : undefined
  }
}
