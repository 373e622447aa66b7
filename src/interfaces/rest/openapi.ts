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
import { headersIn } from './openapi-headers.ts'

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
  const { components, refer } = createComponents()
  const named: Named = { refer, schemaOf: schemaWriter(refer) }
  named.schemaOf(ProblemBody)
  const paths: Json = {}
  for (const { path, operation } of routes)
    if (operation !== undefined)
      paths[path.replaceAll(/:(\w+)/g, '{$1}')] = { get: describe(operation, named) }
  return {
    openapi: '3.1.0',
    info: about(options.metadata, options.synthetic),
    components,
    paths,
    servers: [{ url: options.baseUrl }],
    security: [],
    tags: options.datasets.map(tag),
  }
}

/** Creates what describes each component once, under its name, and refers to it. */
function createComponents() {
  const components: Record<'schemas' | 'parameters' | 'headers', Json> = {
    schemas: {},
    parameters: {},
    headers: {},
  }
  const refer = (kind: keyof typeof components, name: string, describe: () => unknown): Json => {
    components[kind][name] ??= describe()
    return { $ref: `#/components/${kind}/${name}` }
  }
  return { components, refer }
}

type Refer = ReturnType<typeof createComponents>['refer']

interface Named {
  readonly refer: Refer
  readonly schemaOf: (schema: unknown) => unknown
}

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

/** Text in a description, which is CommonMark: what would be markup there, HTML among it, is shown as it is. */
const withoutMarkup = (text: string): string => text.replace(/^[-+#=]|[\\`*_[\]<>&~|]/g, '\\$&')

/**
 * Writes a schema, and within it each that has an `$id` as a component. Defaults are left out: they replace blanks in a source,
 * and in a response every field is present.
 */
function schemaWriter(refer: Refer): Named['schemaOf'] {
  return function write(schema: unknown): unknown {
    if (Array.isArray(schema)) return schema.map(write)
    if (typeof schema !== 'object' || schema === null) return schema
    const { $id, ...rest }: { $id?: unknown } = plainer(schema)
    const written = () => Object.fromEntries(Object.entries(rest).map(([key, part]) => [key, write(part)]))
    return typeof $id === 'string' ? refer('schemas', $id, written) : written()
  }
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

function describe(operation: Operation, { refer, schemaOf }: Named): Json {
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
    ...(isRanged && { 206: { description: 'The part that `Range` asks for.', content: types } }),
    ...(isConditional && { 304: { description: 'Your copy is still current.' } }),
    ...Object.fromEntries(statuses.map(status => [status, problemResponse(status, schemaOf)])),
  }
  const headersOf = (status: number) => {
    const headers = headersIn(status, operation).map(({ name, ...header }) => [
      name,
      refer('headers', name, () => ({ ...header, schema: { type: 'string' } })),
    ])
    return headers.length > 0 ? Object.fromEntries(headers) : undefined
  }
  return {
    ...{ operationId, tags: [tag], summary, description },
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
  Object.entries(parameters).map(([name, { type, description, default: value }]) =>
    parameter('query', name, {
      ...type.schema,
      description,
      // The schema may have one of its own.
      ...(value !== undefined && { default: value }),
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
    example,
  }
}

function problemResponse(status: number, schemaOf: Named['schemaOf']): Json {
  const kinds = Object.entries(PROBLEMS).filter(([, problem]) => problem.status === status)
  return {
    description: kinds.map(([code, { title }]) => `${code}: ${title}.`).join(' '),
    content: { 'application/problem+json': { schema: schemaOf(ProblemBody) } },
  }
}
