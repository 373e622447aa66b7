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

const SOURCE = `MAKE,MODEL,COLOUR,CYLINDER CAPACITY,WEIGHT,CO2,FUEL TYPE,FIRST REGISTERED,REG'D IN JERSEY
Ford,FIESTA,Blue,1000,,99,Petrol,01/02/2010,05/06/2020
Citroën,C4 100%,Red,1600,1200,,Heavy Oil,29/02/2016,01/03/2016
__proto__,,,,,,,,
Ford,FOCUS,Blue,1600.5,,,Petrol,01/02/2010,05/06/2020
FORD,Fiesta ST,,0,,0,Electric,31/12/2023,01/01/2024
B.M.W.,1.2,,,,,,,
Mercedes-Benz,A-Class,,,,,,,
`

test('vehicles are listed and found as a register writes them', async t => {
  const { app } = await build(t, { vehicles: SOURCE })
  const models = async (query: string) =>
    (await app.inject(`/v1/vehicles?${query}`)).json().results.map(({ model }: { model: string }) => model)

  await t.test(
    'newest on the island first, without that date last, then as the source has them',
    async () => {
      assert.deepEqual(await models(''), ['Fiesta ST', 'FIESTA', 'FOCUS', 'C4 100%', '', '1.2', 'A-Class'])
    },
  )

  await t.test('blanks as documented', async () => {
    const { hash, ...vehicle } = (await app.inject('/v1/vehicles?make=__proto__')).json().results[0]
    assert.match(hash, /^[0-9a-f]{64}$/)
    assert.deepEqual(Object.values(vehicle), [
      '__proto__',
      '',
      'Not Specified',
      null,
      null,
      null,
      'UNKNOWN',
      null,
      null,
    ])
  })

  await t.test(
    'without case, accents, dots of initials and hyphens, every other character plain',
    async () => {
      for (const [query, found] of [
        ...[['make=CITROEN', ['C4 100%']] as const, ['make=citro%C3%ABn', ['C4 100%']] as const],
        ['make=for', ['Fiesta ST', 'FIESTA', 'FOCUS']],
        ['make=for&match=exact', []],
        ['make=ford&match=exact&color=blue', ['FIESTA', 'FOCUS']],
        ...[['make=%25', []] as const, ['model=%25', ['C4 100%']] as const],
        ...[['model=_', []] as const, ['model=*', []] as const, ["make=' OR 1=1 --", []] as const],
        ['fuelType=heavy_oil', ['C4 100%']],
        ...['make=bmw', 'make=b.m', 'make=BMW.&match=exact', 'model=1.2'].map(one => [one, ['1.2']] as const),
        ...['make=mercedes+benz&match=exact', 'make=-benz', 'model=a+class'].map(
          one => [one, ['A-Class']] as const,
        ),
        ...['make=mercedesbenz', 'model=12'].map(one => [one, []] as const),
      ] as const)
        assert.deepEqual(await models(query), found, query)
      for (const all of ['make=..', 'make=-', 'make=+', 'model=&match=exact', 'fuelType=&startDate='])
        assert.equal((await models(all)).length, 7, all)
    },
  )

  await t.test(
    'by dates that include their ends, of first registration or of that on the island',
    async () => {
      assert.deepEqual(await models('startDate=2010-02-01&endDate=2010-02-01'), ['FIESTA', 'FOCUS'])
      assert.deepEqual(await models('startDate=2010/02/02'), ['Fiesta ST', 'C4 100%'])
      assert.equal((await models('startDate=2020-06-05&dateType=regInJersey')).length, 3)
      assert.deepEqual(await models('endDate=2020-06-04T23:00:00.000Z&dateType=regInJersey'), ['C4 100%'])
      assert.equal((await models('endDate=2999-01-01')).length, 4)
    },
  )

  await t.test(
    'a fuel by its usual name is refused with the word for it, dates in the wrong order too',
    async () => {
      const errorOf = async (query: string) => {
        const response = await app.inject(`/v1/vehicles?${query}`)
        assert.equal(response.statusCode, 400)
        return response.json().errors[0]
      }
      for (const [word, meant] of Object.entries({
        ...{ PETRL: 'PETROL', diesel: 'HEAVY_OIL', Diesel: 'HEAVY_OIL', gasoline: 'PETROL' },
        ...{ Hybrid: 'HYBRID_ELECTRIC', LPG: 'GAS' },
      }))
        assert.equal((await errorOf(`fuelType=${word}`)).nearest, meant)
      const { parameter, allowed } = await errorOf('startDate=2024-01-02&endDate=2024-01-01')
      assert.deepEqual([parameter, typeof allowed], ['startDate', 'string'])
      assert.equal((await errorOf('match=fuzzy')).parameter, 'match')
    },
  )

  await t.test('on pages of the configured length at most', async () => {
    const small = await build(t, { vehicles: SOURCE }, { environment: { PAGE_LIMIT_MAX: '2' } })
    const response = await small.app.inject('/v1/vehicles?limit=3')
    assert.deepEqual([response.statusCode, /at most 2/.test(response.json().detail)], [400, true])
  })
})
