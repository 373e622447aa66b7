import type { TSchema } from 'typebox'
import type { Metadata } from '../../datasets/metadata.ts'
import { describeOrigin, INVENTED, type Origin } from '../../datasets/origin.ts'
import { PROBLEMS } from '../../errors.ts'
import { MAX_PARAMETER_LENGTH } from '../../http/limits.ts'
import { JSON_TYPE } from '../../http/negotiation.ts'
import type { Parameters } from '../../http/parameters.ts'
import { ProblemBody } from '../../http/problem-body.ts'
import type { Operation, Route } from '../../http/router.ts'
import { memberOf, valueSchema } from '../../values/values.ts'
import { VERSION } from '../../version.ts'

interface Header {
  readonly description: string
  readonly example: string
  /** True if no response that documents the header may lack it. */
  readonly required?: true
  /** Whether a response with this status may have the header. */
  readonly isIn: (status: number, operation: Operation) => boolean
}

type IsIn = Header['isIn']

const ifFine: IsIn = status => status < 400
const ifConditional: IsIn = (status, { isConditional }) => status < 400 && isConditional
const ifRanged: IsIn = (status, { isRanged = false }) => status < 300 && isRanged
const ifLimited: IsIn = (_, { problems }) => problems.includes(429)
const ifStatus =
  (...statuses: number[]): IsIn =>
  status =>
    statuses.includes(status)

/** The headers of responses that the document describes, by name. */
const HEADERS: Readonly<Record<string, Header>> = {
  'Accept-Ranges': {
    description: 'Parts can be requested by `Range`.',
    example: 'bytes',
    required: true,
    isIn: ifRanged,
  },
  Allow: {
    description: 'The methods that are allowed here.',
    example: 'GET, HEAD, OPTIONS',
    required: true,
    isIn: ifStatus(405),
  },
  'Cache-Control': {
    description: 'How long the response may be used without asking again.',
    example: 'public, max-age=3600, s-maxage=3600, stale-if-error=86400',
    required: true,
    isIn: ifConditional,
  },
  'Content-Disposition': {
    description: 'The file name of CSV, NDJSON and Parquet.',
    example: 'attachment; filename="toilets.csv"',
    isIn: (status, { content }) => status < 300 && Object.keys(content).length > 1,
  },
  'Content-Range': {
    description: 'Which bytes these are, and the length of the whole file.',
    example: 'bytes 0-1023/12714',
    required: true,
    isIn: ifStatus(206, 416),
  },
  ETag: {
    description: 'Names this body: sent back as `If-None-Match`, it gets 304 while nothing has changed.',
    example: '"nvZeiGuvWJFDrMIvVkCX1_.j38qrn"',
    required: true,
    isIn: ifConditional,
  },
  'Ignored-Parameters': {
    description: 'Unknown parameters that were ignored, each with the most similar known one.',
    example: 'pge;nearest=page',
    isIn: ifFine,
  },
  'Last-Modified': {
    description: 'When the release became current; of live counts the time of the reading.',
    example: 'Mon, 01 Jul 2024 13:01:56 GMT',
    required: true,
    isIn: ifConditional,
  },
  Link: {
    description:
      'Licence, source and description of the dataset (`license`, `via`, `describedby`); of pages `first`, `prev`, `next` and `last`.',
    example: '</v1/vehicles?page=2&make=ford>; rel="next", </v1/datasets/vehicles>; rel="describedby"',
    isIn: ifFine,
  },
  RateLimit: {
    description: 'Remaining requests, and seconds until the window ends; absent where no limit is set.',
    example: '"hourly";r=599;t=3600',
    isIn: ifLimited,
  },
  'RateLimit-Policy': {
    description: 'The quota, and the window in seconds.',
    example: '"hourly";q=600;w=3600',
    isIn: ifLimited,
  },
  'Repr-Digest': {
    description: 'SHA-256 of the whole file (RFC 9530); absent while the file is being written.',
    example: 'sha-256=:06AKt1AvkCyzM1kYlbf5UlT4Y5YvH0yWwq3f0qZ0e5k=:',
    isIn: ifRanged,
  },
  'Retry-After': {
    description: 'Seconds to wait.',
    example: '1734',
    required: true,
    isIn: ifStatus(429, 503),
  },
  'Synthetic-Data': {
    description: '`true` marks invented data; absent for real data.',
    example: 'true',
    isIn: ifFine,
  },
}

/** The headers of a response with this status, by name. */
const headersIn = (status: number, operation: Operation) =>
  Object.entries(HEADERS).flatMap(([name, { isIn, ...header }]) =>
    isIn(status, operation) ? [{ name, ...header }] : [],
  )

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
  const described = createComponents()
  described.schemaOf(ProblemBody)
  const paths: Json = {}
  for (const { path, operation } of routes)
    if (operation !== undefined)
      paths[path.replaceAll(/:(\w+)/g, '{$1}')] = { get: describe(operation, described) }
  return {
    openapi: '3.1.0',
    info: about(options.metadata, options.synthetic),
    components: described.components,
    paths,
    servers: [{ url: options.baseUrl }],
    security: [],
    tags: options.datasets.map(tag),
  }
}

type Kind = 'schemas' | 'parameters' | 'headers'

/** Creates a registry that describes each component once, under its name, and makes references to it. */
function createComponents() {
  const components: Record<Kind, Json> = { schemas: {}, parameters: {}, headers: {} }

  function refer(kind: Kind, name: string, describe: () => unknown): Json {
    components[kind][name] ??= describe()
    return { $ref: `#/components/${kind}/${name}` }
  }

  /**
   * Writes a schema. A schema or part with an `$id` becomes a component. Defaults are left out: they replace blanks in a
   * source, and a response has every field.
   */
  function schemaOf(schema: unknown): unknown {
    if (Array.isArray(schema)) return schema.map(schemaOf)
    if (typeof schema !== 'object' || schema === null) return schema
    const { $id, ...rest }: { $id?: unknown } = plainer(schema)
    const written = () => Object.fromEntries(Object.entries(rest).map(([key, part]) => [key, schemaOf(part)]))
    return typeof $id === 'string' ? refer('schemas', $id, written) : written()
  }

  return { components, refer, schemaOf }
}

type Components = ReturnType<typeof createComponents>

function about({ title, description, contact, licence, licenceUrl }: Metadata, synthetic: boolean): Json {
  const terms = synthetic ? INVENTED : { licence, licenceUrl }
  return {
    title: synthetic ? `${title} (synthetic island)` : title,
    version: VERSION,
    summary: "An island's public datasets.",
    description: [synthetic ? SYNTHETIC : '', withoutMarkup(description ?? ''), ABOUT]
      .flatMap(text => text.trim() || [])
      .join('\n\n'),
    contact,
    license: terms.licence ? { name: terms.licence, url: terms.licenceUrl || undefined } : undefined,
  }
}

function tag({ name, title, description, ...origin }: Described): Json {
  const { sourceUrl } = origin
  return {
    name,
    description: `${title}. ${description} ${withoutMarkup(describeOrigin(origin))}`,
    externalDocs: sourceUrl ? { description: 'The publisher’s page', url: sourceUrl } : undefined,
  }
}

/** Text for a description, which is CommonMark. Markup in the text, HTML included, is shown literally. */
const withoutMarkup = (text: string): string => text.replace(/^[-+#=]|[\\`*_[\]<>&~|]/g, '\\$&')

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

function describe(operation: Operation, { refer, schemaOf }: Components): Json {
  const { operationId, tag, summary, description, content, problems, isConditional, isRanged } = operation
  const statuses = [...new Set([...COMMON_PROBLEMS, ...problems])].sort()
  const parameters = [
    ...queryParameters(operation.parameters),
    ...members(operation.params).map(([name, schema]) =>
      parameter('path', name, { ...schema, maxLength: MAX_PARAMETER_LENGTH }),
    ),
    ...Object.entries(operation.headers ?? {}).map(([name, schema]) => parameter('header', name, schema)),
    ...queryParameters(operation.shared ?? {}).map(shared =>
      refer('parameters', String(shared.name), () => shared),
    ),
  ]
  const types = Object.fromEntries(
    Object.entries(content).map(([type, schema]) => [type, { schema: schemaOf(schema) }]),
  )
  const responses: Record<number, Json> = {
    200: { description: memberOf(content[JSON_TYPE], 'description') ?? summary, content: types },
    ...Object.fromEntries(statuses.map(status => [status, problemResponse(status, schemaOf)])),
  }
  if (isRanged) responses[206] = { description: 'The part that `Range` asks for.', content: types }
  if (isConditional) responses[304] = { description: 'Your copy is still current.' }
  const headersOf = (status: number) => {
    const headers = headersIn(status, operation).map(({ name, ...header }) => [
      name,
      refer('headers', name, () => ({ ...header, schema: { type: 'string' } })),
    ])
    return headers.length > 0 ? Object.fromEntries(headers) : undefined
  }
  return {
    operationId,
    tags: [tag],
    summary,
    description,
    parameters: parameters.length > 0 ? parameters : undefined,
    responses: Object.fromEntries(
      Object.entries(responses).map(([status, response]) => [
        status,
        { ...response, headers: headersOf(Number(status)) },
      ]),
    ),
  }
}

const members = (schema: { properties?: Record<string, TSchema> } = {}): [string, TSchema][] =>
  Object.entries(schema.properties ?? {})

const queryParameters = (parameters: Parameters): Json[] =>
  Object.entries(parameters).map(([name, each]) => parameter('query', name, valueSchema(each)))

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
    explode: place === 'query' && [schema, ...[schema.anyOf].flat()].some(isList) ? false : undefined,
    example,
  }
}

const isList = (schema: unknown): boolean => memberOf(schema, 'type') === 'array'

function problemResponse(status: number, schemaOf: Components['schemaOf']): Json {
  const kinds = Object.entries(PROBLEMS).filter(([, problem]) => problem.status === status)
  return {
    description: kinds.map(([code, { title }]) => `${code}: ${title}.`).join(' '),
    content: { 'application/problem+json': { schema: schemaOf(ProblemBody) } },
  }
}
