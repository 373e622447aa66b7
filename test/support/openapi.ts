import assert from 'node:assert/strict'
import { Compile, Errors } from 'typebox/schema'
import { ISLAND } from './island.ts'

/** The parts of an OpenAPI document that tests look at. */
export interface OpenApi {
  readonly paths: Readonly<Record<string, { readonly get: Operation }>>
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>
    readonly parameters: Readonly<Record<string, OpenApiParameter>>
    readonly headers: Readonly<Record<string, { readonly required?: true }>>
  }
}

export interface Operation {
  readonly parameters?: readonly (OpenApiParameter | Reference)[]
  readonly responses: Readonly<
    Record<string, { readonly content?: Content; readonly headers?: Readonly<Record<string, Reference>> }>
  >
}

type Content = Readonly<Record<string, { readonly schema: JsonSchema }>>

/** A parameter that operations share. */
interface Reference {
  readonly $ref: string
}

export interface OpenApiParameter {
  readonly name: string
  readonly in: 'query' | 'path' | 'header'
  readonly example?: unknown
  readonly schema: JsonSchema
}

export type JsonSchema = { readonly [keyword: string]: unknown }

/** An address of a path of the made-up island: the first record of a list stands for its `id`. */
export function addressOf(path: string): string {
  const [record] = ISLAND[path.split('/')[2] as 'toilets'] ?? []
  return (
    path
      .replace('{idOrCode}', 'HARBST')
      .replace('{id}', String(record?.id))
      .replace('{name}', 'toilets')
      .replace('{file}', '1.csv')
      // Of the first vehicle.
      .replace('{hash}', HASH)
  )
}

const HASH = 'c14cb45ea79d18011d900a2b3d87758f31c528daa39410445d8f4efeb797a001'

/** The parameters of an operation, the shared ones among them. */
export const parametersOf = ({ components }: OpenApi, { parameters = [] }: Operation): OpenApiParameter[] =>
  parameters.map(parameter => {
    if (!('$ref' in parameter)) return parameter
    const name = parameter.$ref.replace('#/components/parameters/', '')
    return components.parameters[name] ?? assert.fail(`${parameter.$ref} leads nowhere`)
  })

type StreamedEvent = { readonly event: string; readonly data: string }

/** Holds answers to what the document says of the operation that gave them. */
export function answerChecker(document: OpenApi) {
  const compiled = new WeakMap<JsonSchema, ReturnType<typeof Compile>>()
  return (
    operation: Operation,
    answer: { statusCode: number; headers: object; body: string },
    what: string,
  ) => {
    const documented = operation.responses[answer.statusCode]
    assert.ok(documented !== undefined, `${what}: status ${answer.statusCode} is not documented`)
    checkHeaders(document, documented.headers ?? {}, answer, what)
    const type = String((answer.headers as Record<string, unknown>)['content-type']).split(';')[0] ?? ''
    if (documented.content === undefined) return assert.equal(answer.body, '', what)
    const schema = documented.content[type]?.schema
    assert.ok(schema !== undefined, `${what}: ${type} is not documented for ${answer.statusCode}`)
    const validator = compiled.get(schema) ?? Compile(closed(document, schema))
    compiled.set(schema, validator)
    const isJson = /^(application\/([\w.]+\+)?json|text\/event-stream)$/.test(type)
    const value = isJson ? JSON.parse(answer.body) : answer.body
    // To look for errors takes longer than all else.
    if (!validator.Check(value))
      assert.fail(`${what}: ${JSON.stringify(validator.Errors(value)[1].slice(0, 3))}`)
    if (type === 'text/event-stream') checkEvents(document, schema, value as StreamedEvent[])
  }
}

/** Holds the headers of an answer to those that are documented; errors have those of their status besides. */
function checkHeaders(
  { components }: OpenApi,
  documented: Readonly<Record<string, unknown>>,
  { statusCode, headers }: { statusCode: number; headers: object },
  what: string,
) {
  for (const [name, { required }] of Object.entries(components.headers)) {
    const isSent = name.toLowerCase() in headers
    if (name in documented) assert.ok(isSent || !required, `${what}: ${name} is missing`)
    else assert.ok(!isSent || statusCode >= 400, `${what}: ${name} is not documented for ${statusCode}`)
  }
}

/** Holds the data of events, which is JSON as text, to what the document says of each kind. */
function checkEvents(
  document: OpenApi,
  schema: JsonSchema,
  events: readonly { event: string; data: string }[],
) {
  const { oneOf } = schema.items as { oneOf: { properties: Record<'event' | 'data', JsonSchema> }[] }
  for (const { event, data } of events) {
    const kind = oneOf.find(({ properties }) => (properties.event.enum as string[])[0] === event)
    const value = JSON.parse(data)
    const [sound, errors] = Errors(closed(document, kind?.properties.data.contentSchema), value)
    assert.ok(sound, `${event}: ${JSON.stringify(errors[0])}`)
  }
}

/** The schema by itself: references are replaced by what they mean, and objects have no more than is documented. */
function closed(document: OpenApi, schema: unknown): JsonSchema {
  if (Array.isArray(schema)) return schema.map(part => closed(document, part)) as unknown as JsonSchema
  if (typeof schema !== 'object' || schema === null) return schema as unknown as JsonSchema
  const { $ref, ...rest } = schema as { $ref?: string; properties?: object }
  if ($ref !== undefined) {
    const name = $ref.replace('#/components/schemas/', '')
    return closed(document, document.components.schemas[name] ?? assert.fail(`${$ref} leads nowhere`))
  }
  const parts = Object.entries(rest).map(([keyword, part]) => [keyword, closed(document, part)])
  const closing = typeof rest.properties === 'object' ? { additionalProperties: false } : {}
  return { ...Object.fromEntries(parts), ...closing }
}

/** Every example and default of the document that its own schema refuses, with the reason. */
export function wrongExamples(document: OpenApi): string[] {
  const wrong: string[] = []
  const visit = (node: unknown, path: string) => {
    if (typeof node !== 'object' || node === null) return
    const { examples, example, default: fallback, schema, ...rest } = node as Record<string, unknown>
    const own = (schema ?? rest) as JsonSchema
    const values = [...(Array.isArray(examples) ? examples : []), example, fallback]
    for (const value of values.filter(value => value !== undefined && typeof examples !== 'string')) {
      const [sound, errors] = Errors(closed(document, own), value)
      if (!sound) wrong.push(`${path}: ${JSON.stringify(value)}: ${JSON.stringify(errors[0])}`)
    }
    for (const [key, part] of Object.entries(node)) visit(part, `${path}/${key}`)
  }
  visit(document.paths, '#/paths')
  visit(document.components, '#/components')
  return wrong
}
