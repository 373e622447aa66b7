import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { DATASETS } from '../../src/datasets/index.ts'
import { toilets } from '../../src/datasets/toilets/index.ts'
import { importDataset } from '../../src/releases/import/import.ts'
import { CARPARKS, ISLAND, TOILETS, VEHICLES } from '../support/island.ts'
import { type OpenApi, parametersOf } from '../support/openapi.ts'
import { build, publish } from '../support/service.ts'
import { TABLE_KINDS } from '../support/store-engines.ts'
import { until } from '../support/until.ts'

const [PIER = assert.fail(), DUNES = assert.fail()] = TOILETS
const [HARBOUR = assert.fail(), BEACH = assert.fail()] = CARPARKS

/** The island with every fault of which the catalogue warns. */
const FAULTY = {
  ...ISLAND,
  vehicles: `${VEHICLES}Toyota,MIRAI,Grey,,,0,Hydrogen,01/02/2022,05/06/2022\n`,
  carparks: [HARBOUR, BEACH, { ...BEACH, id: BEACH.id.replace('c', 'd'), latitude: 0, longitude: 0 }],
  toilets: [
    PIER,
    { ...DUNES, latitude: 49.25, longitude: -2.2, tenure: 'ROYAL' },
    {
      ...PIER,
      ...{ id: PIER.id.replace('7', '8'), facilities: ['SAUNA', 'DISABLED', 'POOL'], tenure: 'ROYAL' },
      female: { ...PIER.female, periodProducts: ['CUPS'] },
    },
  ],
}

interface Enumeration {
  readonly dataset: string
  readonly field: string
  readonly closed: boolean
  readonly values: readonly { value: string; meaning: string | null }[]
}

test('a dataset is described from its declaration, its release and its records', async t => {
  const { app, store, snapshots } = await build(t, FAULTY)
  const get = async (name: string) => (await app.inject(`/v1/datasets/${name}`)).json()
  const warnings = async (name: string) =>
    (await get(name)).warnings.map(({ kind, records, detail }: Record<string, unknown>) => [
      ...[kind, records, detail],
    ])

  await t.test('it has what the list has', async () => {
    for (const entry of (await app.inject('/v1/datasets')).json().results) {
      assert.equal(entry.details, `/v1/datasets/${entry.name}`)
      const { changes, freshness, spatial, temporal, fields, formats, endpoints, warnings, ...short } = (
        await app.inject(entry.details)
      ).json()
      assert.deepEqual(short, entry)
      assert.deepEqual(changes, { added: entry.records, changed: 0, removed: 0 })
      assert.equal(freshness.sourceCheckedAt, null)
      assert.equal(formats[0].path, entry.path)
      for (const { path } of endpoints.filter(({ path }: { path: string }) => !path.includes('{')))
        assert.notEqual((await app.inject(path)).statusCode, 404, path)
    }
  })

  await t.test('the area is that of the positions on the island, else the island', async () => {
    assert.deepEqual((await get('toilets')).spatial, { bbox: [-2.2, 49.18, -2.1, 49.25] })
    const { latitude, longitude } = HARBOUR
    assert.deepEqual((await get('carparks')).spatial, { bbox: [longitude, latitude, longitude, latitude] })
    const { bbox } = (await get('vehicles')).spatial
    assert.ok(bbox[0] < -2.3 && bbox[1] < 49.1 && bbox[2] > -2 && bbox[3] > 49.3, String(bbox))
  })

  await t.test('the period is that of its dates', async () => {
    assert.deepEqual((await get('vehicles')).temporal, { start: '1991-06-05', end: '2024-01-01' })
    const instant = '2024-06-06T23:00:00.000Z'
    assert.deepEqual((await get('product-recalls')).temporal, { start: instant, end: instant })
    assert.equal((await get('toilets')).temporal, null)
  })

  await t.test('fields have units, nulls, capabilities, and those of objects their paths', async () => {
    const { fields } = await get('vehicles')
    const field = (name: string) => fields.find((each: { name: string }) => each.name === name)
    const { description, ...weight } = field('weight')
    assert.deepEqual(weight, {
      ...{ name: 'weight', type: 'number', format: null, unit: 'kg', nullable: true, enumeration: null },
      ...{ filter: 'range', sort: true, count: false },
    })
    assert.match(description, /Kilograms/)
    assert.deepEqual([field('make').filter, field('fuelType').filter], ['contains', 'equals'])
    const names = (await get('toilets')).fields.map(({ name }: { name: string }) => name)
    assert.deepEqual(
      names.filter((name: string) => /^(owner|male)/.test(name)),
      [
        ...['owner.id', 'owner.name', 'male.cubicles', 'male.urinals', 'male.handDryers', 'male.sinks'],
        'male.periodProducts',
      ],
    )
  })

  await t.test('it warns of what is wrong with the records', async () => {
    assert.deepEqual(await warnings('carparks'), [
      ['no-position', 1, '1 of 3 records have no position.'],
      ['off-island', 1, '1 of 3 records have a position that is not on the island.'],
    ])
    const unknown = (records: number, of: number, field: string, value: string) => [
      ...['unknown-value', records],
      `${records} of ${of} records have a value of ${field} that is not among its known ones: ${value}.`,
    ]
    assert.deepEqual(await warnings('vehicles'), [
      ['no-date', 1, '1 of 8 records have no firstRegisteredInJerseyAt.'],
      unknown(1, 8, 'fuelType', 'HYDROGEN'),
    ])
    assert.deepEqual(await warnings('toilets'), [
      unknown(2, 3, 'tenure', 'ROYAL'),
      unknown(1, 3, 'facilities', 'SAUNA, POOL'),
      unknown(1, 3, 'female.periodProducts', 'CUPS'),
    ])
  })

  await t.test('a new release is described anew', async () => {
    await publish(store, 'toilets', TOILETS)
    await until(() => snapshots.get('toilets')?.release.number === 2, 'release 2')
    assert.deepEqual(await warnings('toilets'), [['no-position', 1, '1 of 2 records have no position.']])
    const { release, changes } = await get('toilets')
    assert.deepEqual([release, changes], [2, { added: 0, changed: 1, removed: 1 }])
  })
})

test('an unpublished dataset, and one taken out of service, are described as far as they are known', async t => {
  const { toilets } = ISLAND
  const { app } = await build(t, { toilets }, { environment: { UNAVAILABLE_DATASETS: 'toilets' } })
  const unpublished = (await app.inject('/v1/datasets/recycling')).json()
  const { available, changes, spatial, temporal, warnings, freshness, fields } = unpublished
  assert.deepEqual([available, changes, spatial, temporal, warnings], [false, null, null, null, []])
  assert.deepEqual(freshness, {
    ageSeconds: null,
    sourceCheckedAt: null,
    sourceTriedAt: null,
    sourceDays: [],
  })
  assert.equal(fields.length, 8)
  const off = (await app.inject('/v1/datasets/toilets')).json()
  assert.deepEqual([off.available, off.records], [false, 2])
})

for (const TABLE_ENGINE of TABLE_KINDS)
  test(`vehicles are described alike from ${TABLE_ENGINE}`, async t => {
    const { app } = await build(t, { vehicles: FAULTY.vehicles }, { environment: { TABLE_ENGINE } })
    const { temporal, warnings } = (await app.inject('/v1/datasets/vehicles')).json()
    assert.deepEqual(temporal, { start: '1991-06-05', end: '2024-01-01' })
    assert.deepEqual(
      warnings.map(({ kind, records }: Record<string, unknown>) => [kind, records]),
      [
        ['no-date', 1],
        ['unknown-value', 1],
      ],
    )
  })

test('an empty register is described too', async t => {
  const { app } = await build(t, { vehicles: VEHICLES.split('\n', 1).join('') })
  const { records, temporal, warnings } = (await app.inject('/v1/datasets/vehicles')).json()
  assert.deepEqual([records, temporal, warnings], [0, null, []])
})

test('enumerations have their meanings, and what is held besides has none', async t => {
  const { app } = await build(t, FAULTY)
  const { results } = (await app.inject('/v1/enumerations')).json() as { results: Enumeration[] }
  const of = (dataset: string, field: string) =>
    results.find(each => each.dataset === dataset && each.field === field) ?? assert.fail(field)
  assert.deepEqual(of('carparks', 'surfaceType'), {
    ...{ dataset: 'carparks', field: 'surfaceType', closed: true },
    values: [
      { value: 'TARMAC', meaning: 'Tarmac' },
      { value: 'CONCRETE', meaning: 'Concrete' },
      { value: 'GRAVEL', meaning: 'Gravel; likely has no marked bays' },
    ],
  })
  const meanings = new Map(of('recycling', 'services').values.map(({ value, meaning }) => [value, meaning]))
  assert.equal(meanings.get('METAL_PACKING'), 'Metal packaging')
  assert.equal(meanings.get('GLASS'), 'Clean glass')
  assert.deepEqual(of('vehicles', 'fuelType').values.at(-1), { value: 'HYDROGEN', meaning: null })
  assert.deepEqual(
    results.flatMap(({ values }) => values.flatMap(({ value, meaning }) => (meaning === null ? value : []))),
    ['HYDROGEN', 'ROYAL', 'SAUNA', 'POOL', 'CUPS'],
  )

  const document = (await app.inject('/openapi.json')).json() as OpenApi
  const list = document.paths['/v1/vehicles']?.get ?? assert.fail()
  const fuelType = parametersOf(document, list).find(({ name }) => name === 'fuelType') ?? assert.fail()
  assert.deepEqual(
    (fuelType.schema.anyOf as [{ enum: string[] }])[0].enum,
    of('vehicles', 'fuelType').values.map(({ value }) => value),
    'the form offers the same values',
  )
})

test('a dataset of another name is not found, with the names that there are', async t => {
  const { app } = await build(t)
  for (const suffix of ['', '.json', '.jsonld', '/']) {
    const { statusCode, ...response } = await app.inject(`/v1/datasets/toilet${suffix}`)
    assert.equal(statusCode, 404, suffix)
    const { code, errors } = response.json()
    const names = DATASETS.map(({ name }) => name).join(', ')
    assert.deepEqual(
      [code, errors],
      [
        'NOT_FOUND',
        [
          {
            ...{ parameter: 'name', value: 'toilet', detail: 'is not the name of a dataset' },
            ...{ allowed: `one of ${names}`, nearest: 'toilets' },
          },
        ],
      ],
    )
  }
})

test('the catalogue changes its tag when what it says changes', async t => {
  const { app, store, snapshots } = await build(t, { toilets: TOILETS })
  for (const url of [
    '/v1/datasets',
    '/v1/datasets/toilets',
    '/v1/datasets/toilets.jsonld',
    '/v1/enumerations',
  ]) {
    const { etag } = (await app.inject(url)).headers
    const again = await app.inject({ url, headers: { 'if-none-match': etag } })
    assert.deepEqual(
      [again.statusCode, again.headers['cache-control']?.slice(0, 18)],
      [304, 'public, max-age=60'],
    )
  }
  const url = '/v1/datasets/toilets'
  const { etag } = (await app.inject(url)).headers
  const input = Readable.from([JSON.stringify(TOILETS)])
  await importDataset({ store, dataset: toilets, source: 'demo', input, synthetic: true, force: true })
  await until(() => snapshots.get('toilets')?.release.synthetic, 'the invented toilets')
  const invented = await app.inject({ url, headers: { 'if-none-match': etag } })
  assert.deepEqual([invented.statusCode, invented.headers['synthetic-data']], [200, 'true'])
  const linked = (await app.inject(`${url}.jsonld`)).json()
  assert.match(linked['dct:description']['@value'], /^Invented data/)
  const { link } = (await app.inject('/v1/toilets')).headers
  assert.match(String(link), /^<https:\/\/creativecommons\.org\/publicdomain\/zero\/1\.0\/>; rel="license"/)
})
