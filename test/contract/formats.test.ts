import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { parse } from 'csv-parse/sync'
import Type from 'typebox'
import { DATASETS } from '../../src/datasets/index.ts'
import { Vehicle } from '../../src/datasets/vehicles/schema.ts'
import { FORMATS, formatsFor } from '../../src/formats/formats.ts'
import { flatColumnsOf } from '../../src/query/layout.ts'
import { ISLAND } from '../support/island.ts'
import { parquetRecords } from '../support/parquet.ts'
import { build, type TestApp } from '../support/service.ts'

const serve = async (t: TestContext) =>
  (await build(t, ISLAND, { environment: { VEHICLES_RATE_LIMIT: '0' } })).app

type Row = Readonly<Record<string, unknown>>

/** The cells of a CSV by column. */
const rowsOf = (csv: string): Record<string, string>[] => parse(csv, { columns: true, bom: true })

/** What a cell holds of a value, by the documentation. */
function cellOf(value: unknown, isInObject: boolean): string {
  if (value === null || value === undefined) return ''
  if (!Array.isArray(value)) return String(value).replace(/^[-=+@](?!\d)/, "'$&")
  return value.length === 0 && isInObject ? '[]' : value.join(',')
}

for (const {
  path,
  record,
  list: { item: schema = record },
} of DATASETS)
  test(`${path} has the same records in every format`, async t => {
    const app = await serve(t)
    const { results } = (await app.inject(path)).json() as { results: Row[] }
    assert.ok(results.length > 0)
    const { body, headers } = await app.inject(`${path}.csv`)
    assert.equal(headers['content-type'], 'text/csv; charset=utf-8; header=present')
    const columns = flatColumnsOf(schema)
    const wanted = results.map(record =>
      Object.fromEntries(
        columns.map(column => [column.name, cellOf(column.read(record), column.path.length > 1)]),
      ),
    )
    assert.deepEqual(rowsOf(body), wanted)
    const lines = (await app.inject(`${path}?format=ndjson`)).body
    assert.equal(lines, results.map(record => `${JSON.stringify(record)}\n`).join(''))
    const parquet = await app.inject({ url: path, headers: { accept: 'application/vnd.apache.parquet' } })
    assert.deepEqual(await parquetRecords(parquet.rawPayload, schema), results)
  })

test('counts are served in every format too', async t => {
  const app = await serve(t)
  const counts = Object.entries((await app.inject('/v1/vehicles/makes')).json().results)
  const { body, headers } = await app.inject('/v1/vehicles/makes.csv')
  // A make that is a number is text.
  const lines = counts.map(([make, count]) => `${make === '208' ? '"208"' : make},${count}`)
  assert.equal(body, ['make,count', ...lines, ''].join('\r\n'))
  assert.equal(headers['content-disposition'], 'attachment; filename="vehicles-makes.csv"')
  const documents = (await app.inject('/v1/vehicles/stats/colors?format=ndjson')).body.trim().split('\n')
  const colors = Object.entries((await app.inject('/v1/vehicles/stats/colors')).json().results)
  assert.deepEqual(
    documents.map(line => Object.values(JSON.parse(line))),
    colors,
  )
  const parquet = await app.inject('/v1/vehicles/makes.parquet')
  const Makes = Type.Object({ make: Type.String(), count: Type.Integer() })
  assert.deepEqual(
    await parquetRecords(parquet.rawPayload, Makes),
    counts.map(([make, count]) => ({ make, count })),
  )
})

test('a file has a name, each format its own tag, and a tag is current for its format alone', async t => {
  const app = await serve(t)
  const tags = new Set<unknown>()
  for (const { name: format, isDownload } of FORMATS) {
    const { headers } = await app.inject(`/v1/toilets.${format}`)
    tags.add(headers.etag)
    const name = isDownload ? `attachment; filename="toilets.${format}"` : undefined
    assert.equal(headers['content-disposition'], name)
    const again = { url: `/v1/toilets.${format}`, headers: { 'if-none-match': String(headers.etag) } }
    assert.equal((await app.inject(again)).statusCode, 304)
  }
  assert.equal(tags.size, FORMATS.length)
})

test('a format that an endpoint does not have is refused with those that it has', async t => {
  const app = await serve(t)
  const offered = formatsFor(FORMATS, Vehicle)
    .map(({ name, mediaType }) => `${name} (${mediaType.split(';')[0]})`)
    .join(', ')
  for (const known of [
    ...['json (application/json)', 'csv (text/csv)', 'ndjson (application/x-ndjson)'],
    'parquet (application/vnd.apache.parquet)',
  ])
    assert.ok(offered.split(', ').includes(known), offered)
  const problem = async (url: string, accept?: string) => {
    const { statusCode, body } = await app.inject({ url, headers: accept === undefined ? {} : { accept } })
    return { statusCode, ...JSON.parse(body) }
  }
  for (const url of ['/v1/vehicles.geojson', '/v1/vehicles.xml']) {
    const { statusCode, code, detail } = await problem(url)
    assert.deepEqual([statusCode, code], [406, 'NOT_ACCEPTABLE'])
    assert.equal(
      detail,
      `This endpoint returns ${offered.replaceAll(', ', ' or ')}, and has no other suffix.`,
    )
  }
  const { statusCode, detail } = await problem('/v1/vehicles', 'application/geo+json')
  assert.equal(statusCode, 406)
  assert.match(detail, /returns json \(application\/json\) or csv .* which the Accept header does not allow/)
  const { errors, ...wrong } = await problem('/v1/vehicles?format=geojson')
  assert.equal(wrong.statusCode, 400)
  assert.equal(errors[0].allowed, `one of ${offered}`)
  assert.equal((await problem('/v1/carparks/HARBST.csv')).statusCode, 404)
})

const PRETTY = [
  '/v1/toilets',
  '/v1/vehicles?limit=3',
  '/v1/vehicles/makes',
  '/v1/carparks/HARBST',
  '/v1/datasets',
]

async function isPretty(app: TestApp, url: string) {
  const pretty = `${url}${url.includes('?') ? '&' : '?'}pretty=true`
  const [plain, made, again] = [await app.inject(url), await app.inject(pretty), await app.inject(pretty)]
  assert.equal(made.headers['ignored-parameters'], undefined)
  assert.deepEqual(JSON.parse(made.body), JSON.parse(plain.body), url)
  assert.match(made.body, /^\{\n {2}"/)
  assert.equal(again.body, made.body)
  assert.notEqual(made.headers.etag, plain.headers.etag)
  assert.equal((await app.inject(url)).body, plain.body)
  const headers = { 'if-none-match': String(made.headers.etag) }
  assert.equal((await app.inject({ url: pretty, headers })).statusCode, 304)
  assert.equal((await app.inject({ url, headers })).statusCode, 200)
}

test('pretty=true indents every JSON response, long pages too, under a tag of its own', async t => {
  const app = await serve(t)
  for (const url of [...PRETTY, '/v1/toilets.geojson', '/v1/vehicles?limit=1000']) await isPretty(app, url)
  const { body, headers } = await app.inject('/v1/vehicles?limit=2&pretty=true')
  assert.equal(body, JSON.stringify(JSON.parse(body), null, 2))
  assert.match(String(headers.link), /limit=2&pretty=true>; rel="next"/)
  const csv = await app.inject('/v1/toilets.csv?pretty=true')
  assert.equal(csv.headers['ignored-parameters'], 'pretty')
})

test('bom=1 puts a byte order mark before CSV, under a tag of its own', async t => {
  const app = await serve(t)
  const [plain, marked] = [await app.inject('/v1/toilets.csv'), await app.inject('/v1/toilets.csv?bom=1')]
  assert.ok(marked.rawPayload.equals(Buffer.concat([Buffer.from('\ufeff'), plain.rawPayload])))
  assert.notEqual(marked.headers.etag, plain.headers.etag)
  assert.equal((await app.inject('/v1/toilets?bom=1')).body, (await app.inject('/v1/toilets')).body)
})
