import { chain, type MaybePromise } from '../../values/maybe-promise.ts'
import { JSON_TYPE, requireAcceptable } from '../request/accept.ts'
import { type Parameters, queryReader } from '../request/parameters.ts'
import type { ParsedRequest } from '../request/parsed-request.ts'
import { reportUnknownParameters } from '../request/unknown-parameters.ts'
import { namesTag } from '../response/conditional.ts'
import { CODINGS, preferredCoding } from '../response/content-coding.ts'
import { entityTag, notModified, type PreparedResponse } from '../response/prepared-response.ts'
import type { Content, Representation } from '../response/representation.ts'
import type { CacheVersion } from '../response/response-cache.ts'
import { type StoredResponse, storeResponse } from '../response/stored-response.ts'
import { streamResponse } from '../response/streamed-response.ts'
import type { Endpoint } from './declaration.ts'
import type { Route } from './route-table.ts'
import type { SharedParts } from './router.ts'

/**
 * Creates the handler of an endpoint at one of its paths: parse -> validators -> response cache -> load shedding ->
 * execute -> content coding. A step that has the response skips the rest.
 */
export function endpointHandler<P extends Parameters>(
  { shedder, cache: cheapCache, expensiveCache }: SharedParts,
  endpoint: Endpoint<P>,
  path: string,
): Required<Pick<Route, 'handle' | 'warm'>> {
  const { cacheVersion, expensive = false, ignoresCase = false } = endpoint
  const cache = expensive ? expensiveCache : cheapCache
  const readQuery = queryReader(endpoint.parameters)
  const known = Object.keys(endpoint.parameters)
  const types = [JSON_TYPE, ...Object.keys(endpoint.otherTypes ?? {})]

  function handle(request: ParsedRequest): MaybePromise<PreparedResponse> {
    const { headers, params } = request
    requireAcceptable(headers.accept, ...types)
    if (cacheVersion !== undefined && headers.prefer === undefined) {
      const cached = cache.find(request.url)
      if (cached !== undefined) return select(cached, request)
    }
    const { values, canonical, unknown } = readQuery(request.queryString)
    reportUnknownParameters(request, unknown, known)
    const version = cacheVersion && { read: cacheVersion, value: cacheVersion() }
    const key = version && cacheKey(path, params, ignoresCase, canonical)
    const cached = key === undefined ? undefined : cache.find(key)
    const found = (response: StoredResponse) => {
      if (key !== undefined && unknown.length === 0) cache.alias(request.url, key)
      return select(response, request)
    }
    if (cached !== undefined) return found(cached)
    const described = endpoint.respond({ query: values, canonical, params, path })
    return chain(described, representation => {
      const { body } = representation
      const current = currentTag(representation, request)
      if (current !== undefined) return notModified(representation, current)
      if ('stream' in body) return streamResponse(representation, body, headers)
      return chain(store(representation, headers['accept-encoding'], key, version), found)
    })
  }

  /** Returns the bytes of a representation, cached or new. The same admitted work includes their compression. */
  function store(
    representation: Representation,
    acceptEncoding: string | undefined,
    key: string | undefined,
    version: CacheVersion | undefined,
  ): MaybePromise<StoredResponse> {
    const execute = () =>
      chain(contentOf(representation), content => {
        const stored = storeResponse(representation, content)
        if (!expensive) return stored
        return chain(stored.encode(preferredCoding(acceptEncoding), 'fast'), () => stored)
      })
    const create = expensive ? () => shedder.run(execute) : execute
    return key === undefined || version === undefined ? create() : cache.getOrCreate(key, version, create)
  }

  function select(response: StoredResponse, { headers }: ParsedRequest): MaybePromise<PreparedResponse> {
    requireAcceptable(headers.accept, response.type)
    return response.select(headers, shedder.run)
  }

  async function warm(): Promise<void> {
    if (cacheVersion === undefined || path.includes(':')) return
    const version = { read: cacheVersion, value: cacheVersion() }
    const { values, canonical } = readQuery('')
    const representation = await endpoint.respond({ query: values, canonical, params: {}, path })
    if ('stream' in representation.body) return
    const stored = await store(representation, undefined, path, version)
    for (const coding of CODINGS) await stored.encode(coding, 'thorough')
  }

  return { handle, warm }
}

/** The tag of the client's copy, if it is current; known without making the body. */
function currentTag({ tag }: Representation, { headers }: ParsedRequest): string | undefined {
  if (tag === undefined || headers['if-none-match'] === undefined) return undefined
  const tags = [entityTag(tag, preferredCoding(headers['accept-encoding'])), entityTag(tag, 'identity')]
  return tags.find(etag => namesTag(headers, etag))
}

function contentOf({ body }: Representation): MaybePromise<Content> {
  if (typeof body === 'function') return body()
  if (Buffer.isBuffer(body)) return { body }
  throw new Error('a streamed body is not held')
}

/** The canonical form of a path and its query. */
function cacheKey(
  path: string,
  params: ParsedRequest['params'],
  ignoresCase: boolean,
  canonical: string,
): string {
  const canonicalPath = path.includes(':')
    ? path.replaceAll(/:(\w+)/g, (_, name: string) => {
        const value = params[name] ?? ''
        return encodeURIComponent((ignoresCase ? value.toLowerCase() : value).toWellFormed())
      })
    : path
  return canonical === '' ? canonicalPath : `${canonicalPath}?${canonical}`
}
