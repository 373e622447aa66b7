import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ISLAND } from '../support/island.ts'
import { build } from '../support/service.ts'

const FIELDS = [
  ['make', 'string'],
  ['model', 'string'],
  ['color', 'string'],
  ['cylinderCapacity', 'number'],
  ['weight', 'number'],
  ['co2Emissions', 'number'],
  ['fuelType', 'string'],
  ['firstRegisteredAt', 'string'],
  ['firstRegisteredInJerseyAt', 'string'],
  ['hash', 'string'],
]

test('the register of vehicles (spec 4.2)', async t => {
  const { app } = await build(t, ISLAND)
  const { pagination, results, ...rest } = (await app.inject('/v1/vehicles')).json()

  await t.test('has pagination and results, 30 a page, and nothing else', () => {
    assert.deepEqual(Object.entries(pagination), [
      ['page', 1],
      ['limit', 30],
      ['totalPages', 1],
      ['totalItems', 7],
    ])
    assert.equal(results.length, 7)
    assert.deepEqual(rest, {})
  })

  await t.test('gives each vehicle exactly the fields of the contract, in its order', () => {
    for (const vehicle of results) {
      const fields = Object.entries(vehicle)
      assert.deepEqual(
        fields.map(([name]) => name),
        FIELDS.map(([name]) => name),
      )
      for (const [index, [name, value]] of fields.entries())
        if (value !== null) assert.equal(typeof value, FIELDS[index]?.[1], name)
      assert.match(vehicle.hash, /^[0-9a-f]{64}$/)
    }
  })

  await t.test(
    'gives dates as midnight UTC with milliseconds, and whole and broken numbers as they are',
    () => {
      const rallye = results.find(({ model }: { model: string }) => model === 'RALLYE')
      assert.equal(rallye.firstRegisteredAt, '1990-04-03T00:00:00.000Z')
      assert.equal(rallye.firstRegisteredInJerseyAt, '1991-06-05T00:00:00.000Z')
      const gti = results.find(({ model }: { model: string }) => model === 'GTI')
      assert.equal(gti.cylinderCapacity, 1598.5)
    },
  )

  await t.test('takes any dateType, of which only regInJersey means something', async () => {
    const total = async (query: string) =>
      (await app.inject(`/v1/vehicles?startDate=2016-03-01&${query}`)).json().pagination.totalItems
    assert.equal(await total('dateType=regInJersey'), 5)
    assert.equal(await total('dateType=firstEver'), 1)
    assert.equal(await total('dateType=REGINJERSEY'), 1)
    assert.equal(await total('dateType='), 1)
    assert.equal(await total(''), 1)
  })
})

test('the counts of vehicles (spec 4.3, 4.4)', async t => {
  const { app } = await build(t, ISLAND)
  const text = async (path: string) => (await app.inject(path)).body

  // As text: JSON.parse would move "208" to the front, and hide "__proto__" from some ways of looking.
  await t.test('makes come highest count first, ties by name, whatever their names', async () => {
    const expected = '{"results":{"208":2,"Ford":2,"Citroën":1,"__proto__":1,"constructor":1}}'
    assert.equal(await text('/v1/vehicles/makes'), expected)
  })

  await t.test('an integer-like make is no further up than its count says', async () => {
    const expected = '{"results":{"Ford":2,"208":1}}'
    assert.equal(await text('/v1/vehicles/makes?startDate=2010-02-01&endDate=2010-02-01'), expected)
  })

  await t.test('colours come in the same order, blank ones as Not Specified', async () => {
    assert.equal(await text('/v1/vehicles/stats/colors'), '{"results":{"Blue":3,"Not Specified":2,"Red":2}}')
  })

  await t.test('dates mean the same as in the list', async () => {
    const query = 'startDate=2016-03-01&endDate=2020-06-05&dateType=regInJersey'
    assert.equal(await text(`/v1/vehicles/makes?${query}`), '{"results":{"Ford":2,"208":1,"Citroën":1}}')
    assert.equal(await text(`/v1/vehicles/stats/colors?${query}`), '{"results":{"Blue":3,"Red":1}}')
    assert.equal(await text('/v1/vehicles/makes?startDate=2200-01-01'), '{"results":{}}')
  })

  await t.test('the other addresses answer the same bytes under the same validator', async () => {
    const twins = [
      ['/v1/vehicles/makes', '/v1/vehicles/stats/makes'],
      ['/v1/vehicles/stats/colors', '/v1/vehicles/colors'],
    ]
    for (const pair of twins) {
      const query = '?startDate=2010-02-01'
      const [one, other] = await Promise.all(pair.map(path => app.inject(`${path}${query}`)))
      assert.equal(other?.statusCode, 200)
      assert.deepEqual(other?.rawPayload, one?.rawPayload)
      assert.equal(other?.headers.etag, one?.headers.etag)
    }
  })
})
