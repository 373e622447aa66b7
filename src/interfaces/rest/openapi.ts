import type { TSchema } from 'typebox'
import type { Metadata } from '../../datasets/metadata.ts'
import { describeOrigin, INVENTED, type Origin } from '../../datasets/origin.ts'
import { PROBLEMS } from '../../errors.ts'
import { MAX_PARAMETER_LENGTH } from '../../http/protection/limits.ts'
import { JSON_TYPE } from '../../http/request/negotiation.ts'
import type { Parameters } from '../../http/request/parameters.ts'
import { ProblemBody } from '../../http/response/problem-body.ts'
import type { Operation } from '../../http/routing/operation.ts'
import type { Route } from '../../http/routing/router.ts'
import { memberOf } from '../../values/values.ts'
import { VERSION } from '../../version.ts'
import { namedHeaders } from './openapi-headers.ts'

/** The statuses of problems that every endpoint may respond with. */
const COMMON_PROBLEMS = [400, 405, 408, 431, 500, 503]

const ABOUT = `
Public-interest datasets about one island, read-only and without a key.

- **Errors** are \`application/problem+json\` (RFC 9457) with a stable \`code\`; \`errors\` names each invalid parameter, what
  is allowed and the nearest value.
- **Unknown parameters** are ignored and named in the header \`Ignored-Parameters\`; with \`Prefer: handling=strict\` they
  are errors.
- **Caching**: responses have an \`ETag\` and \`Last-Modified\`; with \`If-None-Match\` you get 304 while nothing has
  changed.
- **Paging**: the header \`Link\` has first, prev, next and last.
- **Formats**: lists and counts are CSV, NDJSON, GeoJSON and Parquet too, by a suffix such as \`.csv\`, by \`format\` or by
  \`Accept\`.
- **Licence and source**: the header \`Link\` of every response made from a dataset has the relations \`license\` (the text of
  its licence), \`via\` (the publisher's page about it) and \`describedby\` (the dataset in the catalogue), as far as they are known.
- **Stability**: \`/v1\` only ever grows; fields, parameters and endpoints are added, never removed or changed.
`

const SYNTHETIC = `
**This is the synthetic island.** Its places, vehicles and readings are invented: never look for a defibrillator here.
`

type Json = Record<string, unknown>

interface Described extends Origin {
  readonly name: string
  readonly title: string
  readonly description: string
}

/** Documents routes as OpenAPI 3.1, from the schemas that responses are made with. */
export function openApi(
  routes: readonly Route[],
  options: {
    datasets: readonly Described[]
    metadata: Metadata
    synthetic: boolean
    baseUrl: string
  },
): Json {
  const components = namedSchemas()
  const problem = components.refer(ProblemBody)
  const named = namedHeaders()
  const paths: Json = {}
  for (const { path, operation } of routes)
    if (operation !== undefined)
      paths[path.replaceAll(/:(\w+)/g, '{$1}')] = {
        get: describe(operation, { refer: components.refer, problem, headersOf: named.refer }),
      }
  return {
    openapi: '3.1.0',
    info: about(options.metadata, options.synthetic),
    components: {
      schemas: components.schemas,
      parameters: sharedParameters(routes),
      headers: named.headers,
    },
    paths,
    servers: [{ url: options.baseUrl }],
    security: [],
    tags: options.datasets.map(tag),
  }
}

/** The parameters that several operations share, by name. */
function sharedParameters(routes: readonly Route[]): Json {
  const all = routes.flatMap(({ operation }) => queryParameters(operation?.shared ?? {}))
  return Object.fromEntries(all.map(described => [described.name, described]))
}

function about({ title, description, contact, licence, licenceUrl }: Metadata, synthetic: boolean): Json {
  const terms = synthetic ? INVENTED : { licence, licenceUrl }
  return {
    title: synthetic ? `${title} (synthetic island)` : title,
    version: VERSION,
    summary: "An island's public datasets.",
    description: [
      ...(synthetic ? [SYNTHETIC.trim()] : []),
      ...(description === undefined ? [] : [withoutMarkup(description)]),
      ABOUT.trim(),
    ].join('\n\n'),
    ...(contact && { contact }),
    ...(terms.licence && {
      license: { name: terms.licence, ...(terms.licenceUrl && { url: terms.licenceUrl }) },
    }),
  }
}

function tag({ name, title, description, ...origin }: Described): Json {
  const { sourceUrl } = origin
  return {
    name,
    description: `${title}. ${description} ${withoutMarkup(describeOrigin(origin))}`,
    ...(sourceUrl && { externalDocs: { description: 'The publisher’s page', url: sourceUrl } }),
  }
}

/** Text in a description, which is CommonMark: what would be markup there, HTML among it, is shown as it is. */
const withoutMarkup = (text: string): string => text.replace(/^[-+#=]|[\\`*_[\]<>&~|]/g, '\\$&')

/**
 * Collects the schemas that have an `$id`: each is written once, under that name, and referenced elsewhere. Defaults are
 * left out: they replace blanks in a source, and in a response every field is present.
 */
function namedSchemas() {
  const schemas: Record<string, unknown> = {}
  function refer(schema: unknown): unknown {
    if (Array.isArray(schema)) return schema.map(refer)
    if (typeof schema !== 'object' || schema === null) return schema
    const { $id, ...rest }: { $id?: unknown } = plainer(schema)
    const written = Object.fromEntries(Object.entries(rest).map(([key, part]) => [key, refer(part)]))
    if (typeof $id !== 'string') return written
    schemas[$id] ??= written
    return { $ref: `#/components/schemas/${$id}` }
  }
  return { schemas, refer }
}

/** Removes the default, and writes a map of any names as `additionalProperties`, which OpenAPI tools expect. */
function plainer(schema: object): object {
  const { default: _, ...rest }: { default?: unknown; type?: unknown; patternProperties?: object } = schema
  const isSchema = typeof rest.type === 'string' || Array.isArray(rest.type)
  if (!isSchema) return schema
  const { patternProperties, ...plain } = rest
  const [pattern, ...others] = Object.entries(patternProperties ?? {})
  return pattern?.[0] === '^.*$' && others.length === 0
    ? { ...plain, additionalProperties: pattern[1] }
    : rest
}

interface Named {
  readonly refer: (schema: unknown) => unknown
  readonly problem: unknown
  readonly headersOf: ReturnType<typeof namedHeaders>['refer']
}

function describe(operation: Operation, { refer, problem, headersOf }: Named): Json {
  const { operationId, tag, summary, description, content, problems, isConditional, isRanged } = operation
  const statuses = [...new Set([...COMMON_PROBLEMS, ...problems])].sort()
  const parameters = [
    ...queryParameters(operation.parameters),
    ...members(operation.params).map(([name, schema]) =>
      parameter('path', name, { ...schema, maxLength: MAX_PARAMETER_LENGTH }),
    ),
    ...Object.entries(operation.headers ?? {}).map(([name, schema]) => parameter('header', name, schema)),
    ...Object.keys(operation.shared ?? {}).map(name => ({ $ref: `#/components/parameters/${name}` })),
  ]
  const described = memberOf(content[JSON_TYPE], 'description')
  const types = Object.entries(content).map(([type, schema]) => [type, { schema: refer(schema) }])
  const responses: Record<number, Json> = {
    200: { description: described ?? summary, content: Object.fromEntries(types) },
    ...(isRanged && {
      206: { description: 'The part that `Range` asks for.', content: Object.fromEntries(types) },
    }),
    ...(isConditional && { 304: { description: 'Your copy is still current.' } }),
    ...Object.fromEntries(statuses.map(status => [status, problemResponse(status, problem)])),
  }
  return {
    operationId,
    tags: [tag],
    summary,
    ...(description === undefined ? {} : { description }),
    ...(parameters.length === 0 ? {} : { parameters }),
    responses: Object.fromEntries(
      Object.entries(responses).map(([status, response]) => [
        status,
        { ...response, ...headersOf(Number(status), operation) },
      ]),
    ),
  }
}

const members = (schema: { properties?: Record<string, TSchema> } = {}): [string, TSchema][] =>
  Object.entries(schema.properties ?? {})

const queryParameters = (parameters: Parameters): Json[] =>
  Object.entries(parameters).map(([name, { type, description, default: value }]) =>
    parameter('query', name, {
      ...type.schema,
      description,
      ...(value === undefined ? {} : { default: value }),
    }),
  )

function parameter(place: 'query' | 'path' | 'header', name: string, described: TSchema): Json {
  const { description, examples, ...schema }: Json = { ...described }
  const [example] = Array.isArray(examples) ? examples : []
  return {
    in: place,
    name,
    required: place === 'path',
    description,
    schema,
    // Lists are one value, separated by commas.
    ...(place === 'query' && schema.type === 'array' ? { explode: false } : {}),
    ...(example === undefined ? {} : { example }),
  }
}

function problemResponse(status: number, schema: unknown): Json {
  const kinds = Object.entries(PROBLEMS).filter(([, problem]) => problem.status === status)
  return {
    description: kinds.map(([code, { title }]) => `${code}: ${title}.`).join(' '),
    content: { 'application/problem+json': { schema } },
  }
}
