import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DATASETS } from '../../src/datasets/index.ts'
import { keyNames } from '../../src/interfaces/rest/counts-route.ts'
import { openStream } from '../support/event-streams.ts'
import { ISLAND, OBSERVATION } from '../support/island.ts'
import {
  addressOf,
  answerChecker,
  type JsonSchema,
  type OpenApi,
  type OpenApiParameter,
  type Operation,
  parametersOf,
  wrongExamples,
} from '../support/openapi.ts'
import { listen } from '../support/raw-http.ts'
import { build } from '../support/service.ts'
import { until } from '../support/until.ts'

const SPECIFIED = [
  '/v1/carparks',
  '/v1/carparks/live-spaces',
  '/v1/carparks/{idOrCode}',
  '/v1/defibrillators',
  '/v1/product-recalls',
  '/v1/recycling',
  '/v1/toilets',
  '/v1/vehicles',
  '/v1/vehicles/makes',
  '/v1/vehicles/stats/colors',
]
const STREAM = '/v1/carparks/live-spaces/stream'
/** What answers without any release. */
const CATALOGUE = ['/v1/datasets', '/v1/datasets/{name}', '/v1/enumerations', '/v1/releases/feed']
const ADDED = [
  ...[STREAM, '/v1/carparks/live-spaces/history', '/v1/carparks/{idOrCode}/forecast'],
  ...['/v1/carparks/{idOrCode}/history', '/v1/carparks/{idOrCode}/live', '/v1/carparks/{idOrCode}/typical'],
  ...[...CATALOGUE, '/v1/places', '/v1/vehicles/colors', '/v1/vehicles/stats/makes', '/v1/vehicles/models'],
  ...[
    '/v1/vehicles/stats/history',
    '/v1/vehicles/{hash}',
    '/v1/product-recalls/feed',
    '/v1/datasets/{name}/releases',
  ],
  ...['/v1/datasets/{name}/files', '/v1/datasets/{name}/files/{file}'],
]
/** What each dataset has. */
const DERIVED = DATASETS.flatMap(dataset => [
  ...[dataset.path, `${dataset.path}/changes`],
  ...(keyNames(dataset).length > 0 ? [`${dataset.path}/stats`] : []),
  ...(dataset.recordRoute || dataset.identity.kind === 'fingerprint' ? [] : [`${dataset.path}/{id}`]),
])

/** Values to send for a parameter, with the status that its documentation promises for each. */
function valuesFor({ in: place, example, schema }: OpenApiParameter): [value: string, status: number][] {
  const { type, items, enum: words, default: fallback, minimum, maximum, maxLength, format } = schema
  const values: [unknown, number][] = []
  if (example !== undefined) values.push([example, 200])
  if (fallback !== undefined) values.push([fallback, 200])
  if (Array.isArray(words))
    values.push(...words.map((word): [unknown, number] => [word, 200]), ['nonsense', 400])
  const listed = (items as JsonSchema | undefined)?.enum
  if (Array.isArray(listed)) {
    const { maxItems = listed.length } = schema
    const some = listed.filter(word => !word.startsWith('-')).slice(0, Number(maxItems))
    values.push([some.join(','), 200], ['nonsense', 400])
  }
  if (type === 'number') values.push([12.5, 200], ['nonsense', 400])
  if (schema.pattern !== undefined) values.push(['0'.repeat(64), 200], ['nonsense', 400])
  if (schema.anyOf !== undefined)
    values.push(['2024-02-30', 400], ['2024-01-31T24:01:00Z', 400], ['nonsense', 400])
  if (type === 'boolean') values.push([true, 200], [false, 200], ['nonsense', 400])
  if (type === 'integer')
    values.push(
      [minimum, 200],
      [maximum, 200],
      [Number(minimum) - 1, 400],
      [Number(maximum) + 1, 400],
      ['x', 400],
    )
  if (format === 'date') values.push(['2024-01-31', 200], ['2023-02-30', 400], ['nonsense', 400])
  if (maxLength !== undefined && example === undefined) values.push(['anything', 200])
  if (maxLength !== undefined) values.push(['x'.repeat(Number(maxLength) + 1), 400])
  if (values.length === 0) values.push(['anything', 200])
  if (place === 'query') values.push(['', 200])
  return values.map(([value, status]) => [encodeURIComponent(String(value)), status])
}

/** What a parameter needs beside it. */
const TOGETHER_WITH: Readonly<Record<string, string>> = { radius: 'near=49.2,-2.1&' }

interface Asked {
  readonly url: string
  readonly method?: 'POST'
  readonly headers?: Record<string, string>
}

const operations = (document: OpenApi): [string, Operation][] =>
  Object.entries(document.paths).map(([path, { get }]) => [path, get])

test('openapi.json matches the service', async t => {
  const full = await build(t, ISLAND, { observation: OBSERVATION })
  const file = '/v1/datasets/toilets/files/1.csv'
  await until(async () => (await full.app.inject(file)).statusCode === 200, 'the file to be made')
  const document: OpenApi = (await full.app.inject('/openapi.json')).json()
  const check = answerChecker(document)
  const seen = new Set<number>()
  const port = await listen(full.app)
  /** A stream has no end, and so cannot be injected. */
  async function follow(url: string, headers?: Record<string, string>) {
    const { status, events, head, close } = await openStream(t, `http://127.0.0.1:${port}${url}`, headers)
    close()
    const [, type] = /^content-type: (.*)$/im.exec(head) ?? []
    return { statusCode: status, headers: { 'content-type': type }, body: JSON.stringify(events) }
  }
  async function isAsDocumented(
    operation: Operation,
    request: string | Asked,
    status: number,
    service = full,
  ) {
    const { url, headers } = typeof request === 'string' ? { url: request, headers: {} } : request
    const isStream = status === 200 && url.startsWith(STREAM)
    const answer = isStream ? await follow(url, headers) : await service.app.inject(request)
    const what = typeof request === 'string' ? request : JSON.stringify(request)
    assert.equal(answer.statusCode, status, what)
    check(operation, answer, what)
    seen.add(status)
  }

  await t.test('the endpoints are those of the specification, and those that were added', () => {
    const expected = new Set([...SPECIFIED, ...ADDED, ...DERIVED])
    assert.deepEqual(Object.keys(document.paths).sort(), [...expected].sort())
    for (const [, { get: _, ...others }] of Object.entries(document.paths)) assert.deepEqual(others, {})
  })

  await t.test('every value of every parameter is answered as documented', async () => {
    for (const [path, operation] of operations(document)) {
      await isAsDocumented(operation, addressOf(path), 200)
      for (const parameter of parametersOf(document, operation)) {
        if (parameter.in === 'path') continue
        for (const [value, status] of valuesFor(parameter)) {
          const { name } = parameter
          const inHeader = { url: addressOf(path), headers: { [name]: decodeURIComponent(value) } }
          const asked =
            parameter.in === 'header'
              ? inHeader
              : `${addressOf(path)}?${TOGETHER_WITH[name] ?? ''}${name}=${value}`
          await isAsDocumented(operation, asked, name === 'Range' ? 206 : status)
        }
      }
    }
  })

  await t.test('errors that every endpoint may answer are documented for each', async () => {
    const limits = { VEHICLES_RATE_LIMIT: '1' }
    const empty = await build(t, {}, { environment: limits })
    for (const [path, operation] of operations(document)) {
      const url = addressOf(path)
      // The name of a file names its format.
      if (path.endsWith('{file}')) assert.equal('406' in operation.responses, false)
      else await isAsDocumented(operation, { url, headers: { accept: 'image/png' } }, 406)
      await isAsDocumented(operation, { url, method: 'POST' }, 405)
      await isAsDocumented(operation, `${url}?x=%`, 400)
      await isAsDocumented(operation, { url: `${url}?x=1`, headers: { prefer: 'handling=strict' } }, 400)
      if (path !== STREAM) await isAsDocumented(operation, { url, headers: { 'if-none-match': '*' } }, 304)
      if (!CATALOGUE.includes(path)) await isAsDocumented(operation, url, 503, empty)
    }
    const { get: list } = document.paths['/v1/vehicles'] ?? assert.fail()
    await isAsDocumented(list, '/v1/vehicles', 429, empty)
    const { get: getFile } = document.paths['/v1/datasets/{name}/files/{file}'] ?? assert.fail()
    await isAsDocumented(getFile, { url: file, headers: { range: 'bytes=999999-' } }, 416)
    const { get: carpark } = document.paths['/v1/carparks/{idOrCode}'] ?? assert.fail()
    await isAsDocumented(carpark, '/v1/carparks/nothing', 404)
    const longest = Number(
      parametersOf(document, carpark).find(({ name }) => name === 'idOrCode')?.schema.maxLength,
    )
    await isAsDocumented(carpark, `/v1/carparks/${'x'.repeat(longest)}`, 404)
    await isAsDocumented(carpark, `/v1/carparks/${'x'.repeat(longest + 1)}`, 414)
    assert.deepEqual([...seen].sort(), [200, 206, 304, 400, 404, 405, 406, 414, 416, 429, 503])
  })

  await t.test('it is served as it is built, and its former address leads there', async () => {
    assert.equal((await full.app.inject('/openapi.json')).body, JSON.stringify(full.app.document()))
    const { statusCode, headers } = await full.app.inject('/docs/json')
    assert.deepEqual([statusCode, headers.location], [302, '/openapi.json'])
  })

  await t.test('examples and defaults are what their schemas allow', () => {
    assert.deepEqual(wrongExamples(document), [])
  })
})
