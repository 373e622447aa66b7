import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import Type from 'typebox'
import { build } from '../../../test/support/service.ts'
import { TABLE_KINDS } from '../../../test/support/store-engines.ts'
import { type Dataset, declareDataset } from '../../datasets/dataset.ts'
import * as field from '../../datasets/fields.ts'
import type { RecordFormat } from '../../formats/format.ts'
import { geojson } from '../../formats/geojson.ts'
import { ndjson } from '../../formats/ndjson.ts'

/*
 * A made-up dataset shows what each keyword of a field's declaration provides: parameters, their documentation,
 * messages and results. It is declared as a table, and as a list.
 */

const Boat = Type.Object(
  {
    name: field.text({ filter: 'contains', search: true, sort: true, description: 'Name.' }),
    harbour: field.text({ filter: 'equals', count: true, description: 'Harbour.' }),
    hull: field.openEnumeration(['WOOD', 'STEEL'], {
      filter: 'equals',
      several: true,
      count: true,
      description: 'Hull.',
    }),
    weight: field.nullableNumber({ filter: 'range', sort: true, measure: true, description: 'Tonnes.' }),
    builtAt: field.nullableDate({ filter: 'range', sort: true, description: 'Date of launch.' }),
    hash: field.text({
      filter: 'equals',
      default: '',
      pattern: '^[0-9a-f]{64}$',
      description: 'Fingerprint.',
    }),
  },
  { $id: 'Boat', title: 'Boat' },
)

/** The kinds of field that only lists support. */
const Mooring = Type.Object(
  {
    id: field.integer({ description: 'Number.', filter: 'equals', sort: true }),
    kind: field.enumeration(['BUOY', 'PONTOON'], { filter: 'equals', description: 'Kind.' }),
    hasPower: field.flag({ filter: 'equals', label: 'power supply', description: 'Power.' }),
    services: field.openEnumerationList(['WATER', 'FUEL'], {
      filter: 'equals',
      count: true,
      description: 'Services.',
    }),
    checkedAt: field.nullableTimestamp({ filter: 'range', description: 'Last check.' }),
  },
  { $id: 'Mooring', title: 'Mooring' },
)

const common = { description: 'Made up.', maxAge: 60 }

const boatsAs = ({ orderBy }: Served): Dataset =>
  declareDataset({
    ...common,
    name: 'boats',
    title: 'Boats',
    knownBy: ['name'],
    record: Boat,
    identity: { kind: 'fingerprint', field: 'hash' },
    orderBy,
    transform: boat => ({ ...boat, hash: '0'.repeat(64) }),
    list: { operationId: 'listBoats', summary: 'Boats', pageLength: 10 },
    dates: 'builtAt',
  })

const moorings = declareDataset({
  ...common,
  name: 'moorings',
  title: 'Moorings',
  knownBy: [],
  record: Mooring,
  identity: { kind: 'given' },
  list: { operationId: 'listMoorings', summary: 'All moorings' },
  counts: [
    { operationId: 'countServices', summary: 'Services', path: '/v1/moorings/services', by: 'services' },
  ],
})

const boat = (
  name: string,
  harbour: string,
  hull: string,
  weight: number | null,
  builtAt: string | null,
) => ({
  name,
  harbour,
  hull,
  weight,
  builtAt: builtAt && `${builtAt}T00:00:00.000Z`,
})
// Newest first, as the table serves them.
const BOATS = [
  boat('Étoile', 'Gorey', 'GLASS', 12.5, '2020-05-01'),
  boat('Petrel', 'St Helier', 'WOOD', 3, '2001-01-31'),
  boat('Ammonite', 'St Helier', 'STEEL', null, '1990-01-01'),
  boat('Nameless', 'Gorey', 'WOOD', 7, null),
]

const MOORINGS = [
  { id: 1, kind: 'BUOY', hasPower: false, services: [], checkedAt: null },
  {
    id: 2,
    kind: 'PONTOON',
    hasPower: true,
    services: ['WATER', 'WIFI'],
    checkedAt: '2024-06-06T23:30:00.000Z',
  },
]

async function getter(
  t: TestContext,
  dataset: Dataset,
  records: readonly object[],
  { tableEngine = 'memory' }: Served = {},
) {
  const environment = { TABLE_ENGINE: tableEngine }
  const { app } = await build(t, { [dataset.name]: records }, { datasets: [dataset], environment })
  return async (url: string) => {
    const response = await app.inject(url)
    return { status: response.statusCode, body: response.json(), headers: response.headers }
  }
}

/** The engines that serve the boats. Each must sort, filter by ranges of numbers, and count by several fields. */
const ENGINES: Readonly<Record<string, Served>> = {
  'a list': {},
  ...Object.fromEntries(
    TABLE_KINDS.map(tableEngine => [`a table by ${tableEngine}`, { orderBy: 'builtAt', tableEngine }]),
  ),
}

interface Served {
  readonly orderBy?: string
  readonly tableEngine?: string
}

for (const [engine, served] of Object.entries<Served>(ENGINES)) {
  test(`${engine}: a declared filter or sort is a parameter with results`, async t => {
    const get = await getter(t, boatsAs(served), BOATS, served)
    const names = async (query: string) =>
      (await get(`/v1/boats?${query}`)).body.results.map(({ name }: { name: string }) => name)
    assert.deepEqual(await names(''), ['Étoile', 'Petrel', 'Ammonite', 'Nameless'])
    assert.deepEqual(await names('name=eto'), ['Étoile'])
    assert.deepEqual(await names('harbour=ST%20HELIER'), ['Petrel', 'Ammonite'])
    assert.deepEqual(await names('hull=glass'), ['Étoile'])
    assert.deepEqual(await names('hull=steel,%20Glass'), ['Étoile', 'Ammonite'])
    assert.deepEqual(await names('harbour=Gorey,St%20Helier'), [])
    assert.deepEqual(await names('minWeight=7'), ['Étoile', 'Nameless'])
    assert.deepEqual(await names('minWeight=3&maxWeight=7.5'), ['Petrel', 'Nameless'])
    assert.deepEqual(await names('builtAtFrom=1990-01-01&builtAtTo=2001/01/31'), ['Petrel', 'Ammonite'])
    assert.deepEqual(await names('q=eto'), ['Étoile'])
    assert.deepEqual(await names('q=l%20NAME,e'), ['Nameless'])
    assert.deepEqual((await names(`hash=${'0'.repeat(64)}`)).length, 4)
    assert.deepEqual(await names(`hash=${'F'.repeat(64)}`), [])
    assert.deepEqual(await names('sort=-weight'), ['Étoile', 'Nameless', 'Petrel', 'Ammonite'])
    assert.deepEqual(await names('sort=weight,name'), ['Petrel', 'Nameless', 'Étoile', 'Ammonite'])
    assert.deepEqual(await names('sort=name&limit=2&page=2'), ['Petrel', 'Étoile'])
  })

  test(`${engine}: countable fields are counted by, with the same filters`, async t => {
    const get = await getter(t, boatsAs(served), BOATS, served)
    for (const query of ['', '?by=harbour'])
      assert.deepEqual((await get(`/v1/boats/stats${query}`)).body, {
        total: 4,
        groups: 2,
        results: [
          { harbour: 'Gorey', count: 2 },
          { harbour: 'St Helier', count: 2 },
        ],
        rest: { groups: 0, count: 0 },
      })
    assert.deepEqual((await get('/v1/boats/stats?by=hull,harbour&minWeight=7')).body, {
      total: 2,
      groups: 2,
      results: [
        { hull: 'GLASS', harbour: 'Gorey', count: 1 },
        { hull: 'WOOD', harbour: 'Gorey', count: 1 },
      ],
      rest: { groups: 0, count: 0 },
    })
    assert.deepEqual((await get('/v1/boats/stats?by=year,hull&top=1')).body, {
      total: 4,
      groups: 4,
      results: [{ year: 1990, hull: 'STEEL', count: 1 }],
      rest: { groups: 3, count: 3 },
    })
    const measured = 'weight.sum,share,weight.mean,weight.max'
    assert.deepEqual((await get(`/v1/boats/stats?by=hull&measures=${measured}`)).body.results, [
      { hull: 'WOOD', count: 2, share: 0.5, weight: { values: 2, sum: 10, mean: 5, max: 7 } },
      { hull: 'GLASS', count: 1, share: 0.25, weight: { values: 1, sum: 12.5, mean: 12.5, max: 12.5 } },
      { hull: 'STEEL', count: 1, share: 0.25, weight: { values: 0, sum: null, mean: null, max: null } },
    ])
    assert.deepEqual((await get('/v1/boats/stats?by=month&q=e+tr')).body.results, [
      { month: '2001-01', count: 1 },
    ])
  })

  test(`${engine}: invalid values get an error with what is allowed`, async t => {
    const get = await getter(t, boatsAs(served), BOATS, served)
    const errorOf = async (query: string) => {
      const { status, body } = await get(query)
      assert.equal(status, 400)
      return body.errors[0]
    }
    assert.deepEqual(await errorOf('/v1/boats?minWeight=heavy'), {
      parameter: 'minWeight',
      value: 'heavy',
      detail: 'must be a number such as 12.5',
      allowed: 'a number such as 12.5',
    })
    assert.deepEqual(await errorOf('/v1/boats?minWeight=9&maxWeight=8'), {
      parameter: 'minWeight',
      value: '9',
      detail: 'is above maxWeight 8',
      allowed: 'a number not above maxWeight',
    })
    assert.equal(
      (await errorOf('/v1/boats?builtAtFrom=2024-01-02&builtAtTo=2024-01-01')).parameter,
      'builtAtFrom',
    )
    const { detail, nearest } = await errorOf('/v1/boats?hull=STEAL')
    assert.equal(detail, 'must be one of WOOD, STEEL, GLASS')
    assert.equal(nearest, 'STEEL')
    const several = await errorOf('/v1/boats?hull=STEEL,STEAL')
    assert.deepEqual([several.detail, several.nearest], [detail, nearest])
    assert.equal(several.allowed, 'one of WOOD, STEEL, GLASS; or up to 20 of these, comma-separated')
    assert.equal(
      (await errorOf('/v1/boats/stats?measures=name.mean')).detail,
      'must be one of share, weight.sum, weight.mean, weight.min, weight.max',
    )
    assert.equal((await errorOf('/v1/boats?sort=harbour')).parameter, 'sort')
    assert.equal((await errorOf('/v1/boats?sort=name,-name')).detail, 'names name more than once')
    assert.equal((await errorOf('/v1/boats?sort=,')).parameter, 'sort')
    assert.equal(
      (await errorOf('/v1/boats/stats?by=name')).allowed,
      'up to 3 of harbour, hull, year, month, comma-separated',
    )
    assert.equal(
      (await errorOf('/v1/boats/stats?by=hull,harbour,year,month')).detail,
      'names 4; at most 3 are allowed',
    )
    assert.equal((await errorOf('/v1/boats/stats?by=hull&top=0')).detail, 'must be at least 1')
    assert.equal((await errorOf('/v1/boats?q=-')).detail, 'has no word of letters or digits')
    assert.equal((await errorOf('/v1/boats?q=a+b+c+d+e+f+g+h+i+j+k')).detail, 'has 11 words; 10 are allowed')
    assert.equal((await errorOf('/v1/boats?hash=00')).allowed, '64 hexadecimal digits')
  })

  test(`${engine}: parameters are documented, and have one canonical form in links`, async t => {
    const get = await getter(t, boatsAs(served), BOATS, served)
    const { body } = await get('/openapi.json')
    const parametersOf = (path: string) =>
      body.paths[path].get.parameters.map(
        ({ name, schema, $ref }: { name: string; schema?: { type: string }; $ref?: string }) =>
          $ref ?? [name, schema?.type],
      )
    const shared = ['#/components/parameters/pretty', '#/components/parameters/bom']
    const fields = [
      ['name', 'string'],
      ['harbour', 'string'],
      ['hull', undefined],
      ['minWeight', 'number'],
      ['maxWeight', 'number'],
      ['builtAtFrom', 'string'],
      ['builtAtTo', 'string'],
      ['hash', 'string'],
      ['q', 'string'],
    ]
    const include = engine === 'a list' ? [['include', 'array']] : []
    assert.deepEqual(parametersOf('/v1/boats'), [
      ...[['page', 'integer'], ['limit', 'integer'], ['cursor', 'string'], ...fields],
      ...[['sort', 'array'], ['fields', 'array'], ...include, ['format', 'string'], ...shared],
    ])
    assert.deepEqual(parametersOf('/v1/boats/stats'), [
      ...[['by', 'array'], ['measures', 'array'], ...fields, ['top', 'integer']],
      ...[['format', 'string'], ...shared],
    ])
    const described = (wanted: string) =>
      body.paths['/v1/boats'].get.parameters.find(({ name }: { name: string }) => name === wanted)
    assert.equal(described('minWeight').description, 'Only boats whose weight is at least this.')
    const words = { type: 'string', enum: ['WOOD', 'STEEL', 'GLASS'] }
    const list = { type: 'array', items: words, minItems: 1, maxItems: 20 }
    assert.deepEqual([described('hull').schema, described('hull').explode], [{ anyOf: [words, list] }, false])
    assert.deepEqual(body.components.schemas.Boat.properties.name, { type: 'string', description: 'Name.' })
    const { headers } = await get('/v1/boats?sort=-weight,name&hull=wood,glass&minWeight=2.50')
    assert.match(String(headers.link), /hull=GLASS%2CWOOD&minWeight=2\.5&sort=-weight%2Cname>; rel="first"/)
  })
}

/** A made-up text format: a line of tab-separated values for each record. */
const tsv: RecordFormat = {
  name: 'tsv',
  mediaType: 'text/tab-separated-values',
  description: 'Made up.',
  async *write(batches, schema) {
    const names = Object.keys(schema.properties)
    yield Buffer.from(`${names.join('\t')}\n`)
    for await (const batch of batches)
      for (const record of batch.records())
        yield Buffer.from(`${names.map(name => String(record[name] ?? '')).join('\t')}\n`)
  },
}

for (const [engine, served] of Object.entries<Served>(ENGINES)) {
  const formats = [tsv, ndjson, geojson]
  const environment = { TABLE_ENGINE: served.tableEngine ?? 'memory' }
  const serveBoats = (t: TestContext) =>
    build(t, { boats: BOATS }, { datasets: [boatsAs(served)], environment, formats })

  test(`${engine}: every list and count is served in each format that can write it`, async t => {
    const { app } = await serveBoats(t)
    const list = await app.inject('/v1/boats.tsv?harbour=gorey&sort=name&limit=1&page=2')
    assert.equal(
      list.body,
      `name\tharbour\thull\tweight\tbuiltAt\thash\nÉtoile\tGorey\tGLASS\t12.5\t2020-05-01T00:00:00.000Z\t${'0'.repeat(64)}\n`,
    )
    assert.equal(list.headers['content-type'], tsv.mediaType)
    assert.match(
      String(list.headers.link),
      /^<\/v1\/boats\.tsv\?page=1&limit=1&harbour=gorey&sort=name>; rel="first"/,
    )
    const counts = '/v1/boats/stats?by=hull,harbour'
    const rows =
      'hull\tharbour\tcount\nGLASS\tGorey\t1\nSTEEL\tSt Helier\t1\nWOOD\tGorey\t1\nWOOD\tSt Helier\t1\n'
    assert.equal((await app.inject(`${counts}&format=tsv`)).body, rows)
    const lines = (await app.inject({ url: '/v1/boats', headers: { accept: ndjson.mediaType } })).body
    const { results } = (await app.inject('/v1/boats')).json()
    assert.equal(lines, results.map((record: object) => `${JSON.stringify(record)}\n`).join(''))
    const refused = await app.inject('/v1/boats.geojson')
    assert.equal(refused.statusCode, 406)
    assert.match(refused.json().detail, /returns json \(application\/json\) or tsv \(text\/tab-sep/)
    const { paths } = (await app.inject('/openapi.json')).json()
    const { parameters, responses } = paths['/v1/boats'].get
    const format = parameters.find(({ name }: { name?: string }) => name === 'format')
    assert.deepEqual(format.schema, {
      type: 'string',
      enum: ['json', 'tsv', 'ndjson'],
      default: 'json',
    })
    assert.deepEqual(Object.keys(responses['200'].content), [
      'application/json',
      tsv.mediaType,
      ndjson.mediaType,
    ])
  })

  test(`${engine}: a streamed list has validators and is coded`, async t => {
    // More than are buffered.
    const many = Array.from({ length: 1200 }, (_, index) =>
      boat(`Boat ${index}`, 'Gorey', 'WOOD', 3, '2001-01-31'),
    )
    const { app } = await build(t, { boats: many }, { datasets: [boatsAs(served)], environment, formats })
    const whole = await app.inject('/v1/boats.ndjson')
    assert.equal(whole.headers['content-length'], undefined)
    const { etag, vary } = whole.headers
    assert.equal(vary, 'Accept-Encoding, Prefer')
    const again = { url: '/v1/boats.ndjson', headers: { 'if-none-match': String(etag) } }
    assert.deepEqual(await app.inject(again).then(({ statusCode, body }) => [statusCode, body]), [304, ''])
    const gzip = await app.inject({ url: '/v1/boats.ndjson', headers: { 'accept-encoding': 'gzip' } })
    assert.equal(String(gunzipSync(gzip.rawPayload)), whole.body)
    assert.notEqual(gzip.headers.etag, etag)
    const head = await app.inject({ url: '/v1/boats.ndjson?limit=2', method: 'HEAD' })
    assert.deepEqual([head.statusCode, head.body], [200, ''])
    assert.match(String(head.headers.link), /rel="last"/)
  })
}

test('enumerations, flags, lists and timestamps of a whole list are filtered by what they hold', async t => {
  const get = await getter(t, moorings, MOORINGS)
  const ids = async (query: string) =>
    (await get(`/v1/moorings?${query}`)).body.results.map(({ id }: { id: number }) => id)
  assert.deepEqual(await ids(''), [1, 2])
  assert.deepEqual(await ids('kind=pontoon'), [2])
  assert.deepEqual(await ids('hasPower=false'), [1])
  assert.deepEqual(await ids('services=wifi'), [2])
  assert.deepEqual(await ids('id=1'), [1])
  assert.deepEqual(await ids('checkedAtTo=2024-06-06'), [2])
  assert.deepEqual(await ids('sort=-id'), [2, 1])
  const { status, body } = await get('/v1/moorings?services=tea')
  assert.equal(status, 400)
  assert.equal(body.errors[0].allowed, 'a comma-separated list, each one of WATER, FUEL, WIFI')
  assert.deepEqual((await get('/v1/moorings/services')).body, { results: { WATER: 1, WIFI: 1 } })
  assert.deepEqual((await get('/v1/moorings/stats?by=services&top=1')).body, {
    total: 2,
    groups: 2,
    results: [{ services: 'WATER', count: 1 }],
    rest: { groups: 1, count: 1 },
  })
})
