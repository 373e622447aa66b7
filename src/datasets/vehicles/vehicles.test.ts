import assert from 'node:assert/strict'
import { test } from 'node:test'
import { build } from '../../../test/support/service.ts'

const SOURCE = `MAKE,MODEL,COLOUR,CYLINDER CAPACITY,WEIGHT,CO2,FUEL TYPE,FIRST REGISTERED,REG'D IN JERSEY
Ford,FIESTA,Blue,1000,,99,Petrol,01/02/2010,05/06/2020
Citroën,C4 100%,Red,1600,1200,,Heavy Oil,29/02/2016,01/03/2016
__proto__,,,,,,,,
Ford,FOCUS,Blue,1600.5,,,Petrol,01/02/2010,05/06/2020
FORD,Fiesta ST,,0,,0,Electric,31/12/2023,01/01/2024
`

async function get(t: Parameters<typeof build>[0], url: string, environment?: Record<string, string>) {
  const { app } = await build(t, { vehicles: SOURCE }, environment ? { environment } : {})
  const response = await app.inject(url)
  return { response, body: response.json() }
}

const models = (body: { results: { model: string }[] }) => body.results.map(({ model }) => model)

test('lists vehicles newest on the island first, without that date last, then as the source has them', async t => {
  const { body } = await get(t, '/v1/vehicles')
  assert.deepEqual(models(body), ['Fiesta ST', 'FIESTA', 'FOCUS', 'C4 100%', ''])
  assert.deepEqual(body.pagination, { page: 1, limit: 30, totalPages: 1, totalItems: 5 })
})

test('has exactly the fields of the contract, in its order, blanks as documented', async t => {
  const { body } = await get(t, '/v1/vehicles?make=__proto__')
  assert.deepEqual(Object.entries(body.results[0]).slice(0, -1), [
    ['make', '__proto__'],
    ['model', ''],
    ['color', 'Not Specified'],
    ['cylinderCapacity', null],
    ['weight', null],
    ['co2Emissions', null],
    ['fuelType', 'UNKNOWN'],
    ['firstRegisteredAt', null],
    ['firstRegisteredInJerseyAt', null],
  ])
  assert.match(body.results[0].hash, /^[0-9a-f]{64}$/)
})

test('searches text without case and accents, every character plain', async t => {
  const { app } = await build(t, { vehicles: SOURCE })
  const total = async (query: string) =>
    (await app.inject(`/v1/vehicles?${query}`)).json().pagination.totalItems
  assert.equal(await total('make=CITROEN'), 1)
  assert.equal(await total('make=citro%C3%ABn'), 1)
  assert.equal(await total('make=for'), 3)
  assert.equal(await total('make=for&match=exact'), 0)
  assert.equal(await total('make=ford&match=exact&color=blue'), 2)
  assert.equal(await total('make=%25'), 0)
  assert.equal(await total('model=%25'), 1)
  assert.equal(await total('model=_'), 0)
  assert.equal(await total('model=*'), 0)
  assert.equal(await total('model=&match=exact'), 1)
  assert.equal(await total("make=' OR 1=1 --"), 0)
  assert.equal(await total('fuelType=heavy_oil'), 1)
})

test('finds initials without their dots, and names with hyphens by blanks, in part and whole', async t => {
  const vehicles = 'MAKE,MODEL\nB.M.W.,1.2\nMercedes-Benz,A-Class\nPeugeot,e-208\nFord,12\n'
  const { app } = await build(t, { vehicles })
  for (const [query, found] of [
    ['make=bmw', ['1.2']],
    ['make=b.m', ['1.2']],
    ['make=BMW.&match=exact', ['1.2']],
    ['make=mercedes+benz&match=exact', ['A-Class']],
    ['make=mercedesbenz', []],
    ['make=-benz', ['A-Class']],
    ['model=a+class', ['A-Class']],
    ['model=e208', []],
    ['model=1.2', ['1.2']],
    ['model=12', ['12']],
    ['make=..', ['1.2', 'A-Class', 'e-208', '12']],
    ['make=-', ['A-Class']],
  ] as const)
    assert.deepEqual(models((await app.inject(`/v1/vehicles?${query}`)).json()), found, query)
})

test('bounds dates inclusively, by first registration or by that on the island', async t => {
  const { app } = await build(t, { vehicles: SOURCE })
  const total = async (query: string) =>
    (await app.inject(`/v1/vehicles?${query}`)).json().pagination.totalItems
  assert.equal(await total('startDate=2010-02-01&endDate=2010-02-01'), 2)
  assert.equal(await total('startDate=2010/02/02'), 2)
  assert.equal(await total('startDate=2020-06-05&dateType=regInJersey'), 3)
  assert.equal(await total('endDate=2020-06-04T23:00:00.000Z&dateType=regInJersey'), 1)
  assert.equal(await total('startDate=2020-06-05&dateType=whatever'), 1)
  assert.equal(await total('endDate=2999-01-01'), 4)
})

test('pages hold every vehicle once, and a page past the end is empty with true totals', async t => {
  const { app } = await build(t, { vehicles: SOURCE })
  const pages = await Promise.all([1, 2, 3, 4].map(page => app.inject(`/v1/vehicles?limit=2&page=${page}`)))
  assert.deepEqual(
    pages.flatMap(page => models(page.json())),
    ['Fiesta ST', 'FIESTA', 'FOCUS', 'C4 100%', ''],
  )
  assert.deepEqual(pages[3]?.json().pagination, { page: 4, limit: 2, totalPages: 3, totalItems: 5 })
  assert.match(String(pages[1]?.headers.link), /<\/v1\/vehicles\?page=3&limit=2>; rel="next"/)
})

test('refuses what is not allowed, naming parameter, value and what is', async t => {
  const { app } = await build(t, { vehicles: SOURCE })
  const wrong = [
    'page=0',
    'page=-1',
    'page=1e9',
    'limit=abc',
    'limit=1000001',
    'limit=',
    'page=1&page=2',
    'startDate=2023-02-30',
  ]
  for (const query of [
    ...wrong,
    'startDate=2024-01-02&endDate=2024-01-01',
    'fuelType=PETRL',
    'match=fuzzy',
    'make=%00',
  ]) {
    const response = await app.inject(`/v1/vehicles?${query}`)
    assert.equal(response.statusCode, 400, query)
    const [error] = response.json().errors
    assert.equal(error.parameter, query.split('=')[0])
    assert.equal(typeof error.allowed, 'string')
  }
  const fuel = await app.inject('/v1/vehicles?fuelType=PETRL')
  assert.equal(fuel.json().errors[0].nearest, 'PETROL')
  for (const [word, meant] of [
    ['diesel', 'HEAVY_OIL'],
    ['Diesel', 'HEAVY_OIL'],
    ['gasoline', 'PETROL'],
    ['Hybrid', 'HYBRID_ELECTRIC'],
    ['LPG', 'GAS'],
  ]) {
    const response = await app.inject(`/v1/vehicles?fuelType=${word}`)
    assert.equal(response.statusCode, 400)
    assert.equal(response.json().errors[0].nearest, meant)
  }
})

test('the largest page is the configured one', async t => {
  const { response } = await get(t, '/v1/vehicles?limit=3', { PAGE_LIMIT_MAX: '2' })
  assert.equal(response.statusCode, 400)
  assert.match(response.json().detail, /at most 2/)
})
