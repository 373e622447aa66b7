import type { TSchema } from 'typebox'
import type { Format } from '../values/format.ts'
import { chain, type MaybePromise } from '../values/promises.ts'
import { flag, oneOf } from '../values/values.ts'
import {
  CODINGS,
  type Coding,
  essenceOf,
  formatNegotiator,
  isJson,
  JSON_FORMAT,
  JSON_TYPE,
  namesOf,
  notAcceptable,
  preferredCoding,
} from './negotiation.ts'
import { type Parameters, queryReader, reportUnknownParameters, type ValuesOf } from './parameters.ts'
import type { Content, Representation, StreamedBody } from './representation.ts'
import type { ParsedRequest } from './request.ts'
import { INDENTED, MARKED, reshape } from './reshaping.ts'
import {
  currentTag,
  eventsResponse,
  fileResponse,
  moved,
  namesTag,
  notModified,
  type PreparedResponse,
  type Run,
  type StoredResponse,
  type StreamAdmission,
  storeResponse,
  streamResponse,
} from './response.ts'
import type { CacheVersion } from './response-cache.ts'
import type { Operation, Route, Router, SharedParts } from './router.ts'

/** The declaration of an endpoint: its documentation, parameters and response. */
export interface Endpoint<P extends Parameters> {
  readonly path: string
  /** A second path with the same responses. */
  readonly alias?: string
  readonly operationId: string
  readonly tag: string
  readonly summary: string
  readonly description?: string | undefined
  readonly parameters: P
  /** True if unknown parameters are an error whatever the request prefers. */
  readonly refusesUnknown?: boolean
  /** Schema of the variable parts of the path. */
  readonly params?: TSchema
  /** True if the variable parts of the path are case-insensitive. */
  readonly ignoresCase?: boolean
  /** Schema of the body; absent for files, which `formats` describe. */
  readonly response?: TSchema
  /** How the body is sent: by default it is made and kept, or streamed; else a file, in parts by `Range`, or endless events. */
  readonly kind?: 'file' | 'events'
  /** Schemas of request headers, by name. */
  readonly headers?: Operation['headers']
  /** The media type of the response, by default `application/json`. Requests for JSON get another one in JSON syntax too. */
  readonly mediaType?: string
  /** The formats of the response other than JSON. A file has one of them. */
  readonly formats?: readonly (Format & { readonly description: string })[]
  /** Statuses of the problems of this endpoint, in addition to the ones of every endpoint. */
  readonly problems?: readonly number[]
  /** Requests per hour and client; 0 or absent = no limit. */
  readonly requestsPerHour?: number | undefined
  /** The cache version: a response is reused while this returns the same value (`===`). If absent, no response is cached. */
  readonly cacheVersion?: () => unknown
  /**
   * True if making the body costs far more than sending it. The responses then go to a separate cache, which the operator's
   * setting bounds.
   */
  readonly expensive?: boolean
  readonly respond: (request: EndpointRequest<P>) => MaybePromise<Representation>
}

export interface EndpointRequest<P extends Parameters> {
  readonly query: ValuesOf<P>
  /** The canonical form of the query. */
  readonly canonical: string
  readonly params: Readonly<Record<string, string>>
  /** The path, with the suffix that selected the format. */
  readonly path: string
  /** The name of the format: `json`, or another format of the endpoint. */
  readonly format: string
}

/**
 * Adds an endpoint for GET and HEAD at each of its paths. If it offers formats, each format also has a path, with its name as a
 * suffix.
 */
export function addEndpoint<P extends Parameters>(router: Router, endpoint: Endpoint<P>): void {
  const { tag, requestsPerHour: perHour = 0, alias } = endpoint
  // The path of a file names its format.
  const isNamed = endpoint.kind === 'file'
  const offered = isNamed ? [] : [formatByDefault(endpoint), ...(endpoint.formats ?? [])]
  const isNegotiated = offered.length > 1
  const format = isNegotiated ? { format: formatParameter(offered) } : {}
  const add = (target: Omit<Target, 'parameters'>, selection = {}, operation?: Operation) => {
    const parameters = { ...endpoint.parameters, ...shapeParameters(target.formats), ...selection }
    const { handle, warm } = endpointHandler(router.shared, endpoint, { ...target, parameters })
    const limit = { name: endpoint.path, perHour }
    router.add({ path: target.path, tag, limit, handle, operation, warm: operation && warm })
  }
  for (const path of alias === undefined ? [endpoint.path] : [endpoint.path, alias]) {
    const parameters = { ...endpoint.parameters, ...format }
    const operation = operationOf(endpoint, path, { parameters, shared: shapeParameters(offered) })
    add({ path, formats: offered, isNamed }, format, operation)
    if (!isNegotiated) continue
    for (const one of offered) add({ path: `${path}.${one.name}`, formats: [one], isNamed: true })
    const handle = () => {
      throw notAcceptable(namesOf(offered), 'and has no other suffix')
    }
    router.add({ path: `${path}.:format`, tag, handle })
  }
}

/** One path of an endpoint, with the formats that are available there, the default first. */
interface Target {
  readonly path: string
  readonly parameters: Parameters
  readonly formats: readonly Format[]
  /** Whether the path names the format. The header Accept then has no effect. */
  readonly isNamed?: boolean
}

/** The format of the response that a request gets without asking for one. */
function formatByDefault({ mediaType }: Pick<Endpoint<Parameters>, 'mediaType'>): Format {
  if (mediaType === undefined) return JSON_FORMAT
  const format = { name: JSON_FORMAT.name, mediaType }
  return isJson(format) ? { ...format, alsoNamed: JSON_TYPE } : format
}

/**
 * Creates the handler of an endpoint at one of its paths: parse -> negotiate -> validators -> response cache -> load
 * shedding -> execute -> content coding. A step that has the response skips the rest.
 */
function endpointHandler<P extends Parameters>(
  { scheduler, unread, cache: cheapCache, expensiveCache, linksOf }: SharedParts,
  endpoint: Endpoint<P>,
  { path, parameters, formats, isNamed = false }: Target,
): { handle: Route['handle']; warm: () => Promise<void> } {
  const { cacheVersion, expensive = false, ignoresCase = false, refusesUnknown = false } = endpoint
  const cache = expensive ? expensiveCache : cheapCache
  const isNegotiated = formats.length > 1
  const readQuery = queryReader(parameters)
  const known = Object.keys(parameters)
  const returned = isNegotiated ? namesOf(formats) : formats.map(({ mediaType }) => essenceOf(mediaType))
  const formatFor = formatNegotiator(formats)
  const [defaultFormat = JSON_FORMAT] = formats
  const links = (synthetic: boolean) => linksOf(endpoint.tag, synthetic)

  const runFor =
    (client: () => string): Run =>
    work =>
      scheduler.run(client(), work)

  const admissionOf = ({ client }: ParsedRequest, { isApart }: StreamedBody): StreamAdmission => ({
    admit: bytes => unread.admit(client(), bytes),
    run: isApart ? work => work() : runFor(client),
    record: isApart ? undefined : ms => scheduler.charge(client(), ms),
  })

  function handle(request: ParsedRequest): MaybePromise<PreparedResponse> {
    const { headers, params } = request
    const preferred = isNamed ? defaultFormat : formatFor(headers.accept)
    const spelling = preferred === defaultFormat ? request.url : `${preferred?.name} ${request.url}`
    if (cacheVersion !== undefined && headers.prefer === undefined) {
      const cached = cache.find(spelling)
      if (cached !== undefined) return select(cached, request)
    }
    const { values, canonical: sent, unknown } = readQuery(request.queryString)
    reportUnknownParameters(request, unknown, known, refusesUnknown)
    const format = formats.find(({ name }) => name === values.format) ?? preferred
    if (format === undefined) throw notAcceptable(returned)
    const canonical = isNegotiated ? withFormat(sent, format, defaultFormat) : sent
    const version = cacheVersion && { read: cacheVersion, value: cacheVersion() }
    const key = version && cacheKey(path, params, ignoresCase, canonical)
    const found = (response: StoredResponse) => {
      if (key !== undefined && unknown.length === 0) cache.alias(spelling, key)
      return select(response, request)
    }
    const cached = key === undefined ? undefined : cache.find(key)
    if (cached !== undefined) return found(cached)
    return chain(describe(values, { canonical, params, format }), representation => {
      const { body, location } = representation
      if (location !== undefined) return moved(303, location)
      const current = namedTag(representation, request)
      if (current !== undefined) return notModified(representation, current)
      if ('open' in body) return streamResponse(representation, body, headers, admissionOf(request, body))
      if ('read' in body)
        return fileResponse(representation, body, request, bytes => unread.admit(request.client(), bytes))
      if ('follow' in body) return eventsResponse(representation, body, request)
      const coding = preferredCoding(headers['accept-encoding'])
      return chain(store(representation, coding, runFor(request.client), key, version), found)
    })
  }

  function describe(
    values: ValuesOf<Parameters>,
    { canonical, params, format }: { canonical: string; params: ParsedRequest['params']; format: Format },
  ): MaybePromise<Representation> {
    const query = values as ValuesOf<P>
    const described = endpoint.respond({ query, canonical, params, path, format: format.name })
    return chain(described, each => {
      const { linksOf: named } = each
      const own = named === undefined ? links : (synthetic: boolean) => linksOf(named, synthetic)
      const linked = { ...each, links: own }
      if (format === JSON_FORMAT && !isNegotiated) return shaped(linked, format, values)
      const file = format.isDownload && { fileName: fileNameOf(endpoint.path, params, format) }
      return shaped({ ...linked, type: format.mediaType, isNegotiated, ...file }, format, values)
    })
  }

  /** Returns the stored response of a representation, cached or new. One admitted task makes the body and compresses it. */
  function store(
    representation: Representation,
    coding: Coding,
    run: Run,
    key: string | undefined,
    version: CacheVersion | undefined,
  ): MaybePromise<StoredResponse> {
    const create = () =>
      run(() =>
        chain(contentOf(representation), content => {
          const { body: _body, ...about } = representation
          const stored = storeResponse(about, content)
          return chain(stored.encode(coding, 'fast'), () => stored)
        }),
      )
    return key === undefined || version === undefined ? create() : cache.getOrCreate(key, version, create)
  }

  function select(
    response: StoredResponse,
    { headers, client }: ParsedRequest,
  ): MaybePromise<PreparedResponse> {
    return response.select(headers, runFor(client))
  }

  async function warm(): Promise<void> {
    if (cacheVersion === undefined || path.includes(':')) return
    const version = { read: cacheVersion, value: cacheVersion() }
    const { values, canonical } = readQuery('')
    const representation = await describe(values, { canonical, params: {}, format: defaultFormat })
    if ('open' in representation.body) return
    const stored = await store(representation, 'identity', work => work(), path, version)
    for (const coding of CODINGS) await stored.encode(coding, 'thorough')
  }

  return { handle, warm }
}

/** A canonical query with the selected format; the default format is left out. */
function withFormat(canonical: string, { name }: Format, defaultFormat: Format): string {
  // The parameter is declared last.
  const others = canonical.replace(/(^|&)format=[^&]*$/, '')
  return name === defaultFormat.name ? others : `${others}${others && '&'}format=${name}`
}

/** The tag of the client's copy, if the request names it and the copy is current. This needs no body. */
function namedTag({ tag }: Representation, { headers }: ParsedRequest): string | undefined {
  if (tag === undefined || headers['if-none-match'] === undefined) return undefined
  return currentTag(tag, preferredCoding(headers['accept-encoding']), etag => namesTag(headers, etag))
}

function contentOf({ body }: Representation): MaybePromise<Content> {
  if (typeof body === 'function') return body()
  if (Buffer.isBuffer(body)) return { body }
  throw new Error('a streamed body is not stored')
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

/** The parameter that selects one of several formats. */
function formatParameter(formats: readonly Format[]) {
  const type = oneOf(formats.map(({ name }) => name))
  const allowed = `one of ${namesOf(formats).join(', ')}`
  return {
    // Only the schema has a default: without the parameter, the Accept header decides.
    type: { ...type, allowed, schema: { ...type.schema, default: JSON_FORMAT.name } },
    description:
      'The format of the response. A suffix of the path, such as `.json`, selects it too; without both the Accept header does.',
  }
}

const PRETTY = {
  type: flag(),
  default: false,
  description: 'Indents the response if it is JSON or GeoJSON, for people.',
}

const BOM = {
  type: oneOf(['0', '1']),
  default: '0' as const,
  description: 'A byte order mark before the response if it is CSV: Excel then takes it for UTF-8.',
}

/** The parameters that reshape a body in one of the formats, the same for all endpoints. */
function shapeParameters(formats: readonly Format[]): Parameters {
  const parameters: Record<string, Parameters[string]> = {}
  if (formats.some(isJson)) parameters.pretty = PRETTY
  if (formats.some(({ takesBom }) => takesBom)) parameters.bom = BOM
  return parameters
}

/** A representation reshaped as a request asks for it. */
function shaped(
  representation: Representation,
  format: Format,
  { pretty, bom }: ValuesOf<Parameters>,
): Representation {
  if (pretty === true && isJson(format)) return reshape(representation, INDENTED)
  return bom === '1' && format.takesBom ? reshape(representation, MARKED) : representation
}

/** The file name of a saved response: its path and its format. */
function fileNameOf(path: string, params: Readonly<Record<string, string>>, { name }: Format): string {
  const parts = path.split('/').slice(2)
  const filled = parts.map(part => (part.startsWith(':') ? (params[part.slice(1)] ?? '') : part))
  return `${filled.join('-').replace(/[^\w.-]+/g, '_')}.${name}`
}

/** Describes an endpoint at one of its paths. */
function operationOf<P extends Parameters>(
  endpoint: Endpoint<P>,
  path: string,
  { parameters, shared }: Required<Pick<Operation, 'parameters' | 'shared'>>,
): Operation {
  const { operationId, tag, summary, description, params, kind, headers, problems = [] } = endpoint
  const isAlias = path === endpoint.alias
  return {
    operationId: isAlias ? `${operationId}Alias` : operationId,
    tag,
    summary: isAlias ? `${summary} (the same as ${endpoint.path})` : summary,
    description,
    parameters,
    shared,
    params,
    // Every other endpoint negotiates its format.
    problems: kind === 'file' ? problems : [406, ...problems],
    isConditional: kind !== 'events',
    isRanged: kind === 'file',
    headers,
    content: contentTypesOf(endpoint),
  }
}

function contentTypesOf<P extends Parameters>({
  summary,
  response,
  mediaType = JSON_TYPE,
  formats = [],
}: Endpoint<P>): Operation['content'] {
  if (formats.length === 0) return { [essenceOf(mediaType)]: { description: summary, ...response } }
  const others = formats.map((format): [string, TSchema] => [
    essenceOf(format.mediaType),
    { type: isJson(format) ? 'object' : 'string', description: format.description },
  ])
  return Object.fromEntries(response === undefined ? others : [[mediaType, response], ...others])
}
