import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ISLAND } from '../support/island.ts'
import { build } from '../support/service.ts'
import { TABLE_KINDS } from '../support/store-engines.ts'

/*
 * Of the island's seven vehicles, two were first registered on 1 February 2010, one each in 1990, 2016 and 2023, one never;
 * on Jersey's register they are of 1991, 2016, 2020 (three) and 2024.
 */

const FIELDS = ['cylinderCapacity', 'weight', 'co2Emissions']
const MEASURES = [
  'share',
  ...FIELDS.flatMap(field => ['sum', 'mean', 'min', 'max'].map(by => `${field}.${by}`)),
].join(', ')
const SEVERAL_FUELS =
  'one of PETROL, HEAVY_OIL, ELECTRIC, HYBRID_ELECTRIC, GAS, DIESEL_ELECTRIC, GAS_BI_FUEL, STEAM, UNKNOWN; or up to 20 of these, comma-separated'
const ASKED = [
  'share',
  ...['weight', 'co2Emissions'].flatMap(field => ['sum', 'mean', 'min', 'max'].map(by => `${field}.${by}`)),
]

/** Weights with decimals that doubles do not have, and a colour without any value. */
const DECIMALS = [
  'MAKE,COLOUR,WEIGHT,CO2',
  ...Array.from({ length: 90 }, (_, n) => [
    `Make ${n % 7}`,
    ['Red', 'Blue', 'Grey'][n % 3],
    n % 5 === 0 ? '' : `${900 + n}.${100 + n}`,
    n % 4 === 0 ? '' : 90 + n,
  ]),
  'Make 1,Green,,',
].join('\n')

test('vehicles are counted by what the client chooses', async t => {
  const { app } = await build(t, ISLAND)
  const get = async (url: string) => (await app.inject(url)).json()

  await t.test('by make and year of the first registration, null last', async () => {
    assert.deepEqual(await get('/v1/vehicles/stats?by=make,year'), {
      ...{ total: 7, groups: 6 },
      results: [
        { make: 'Ford', year: 2010, count: 2 },
        { make: '208', year: 1990, count: 1 },
        { make: '208', year: 2010, count: 1 },
        { make: 'Citroën', year: 2016, count: 1 },
        { make: '__proto__', year: null, count: 1 },
        { make: 'constructor', year: 2023, count: 1 },
      ],
      rest: { groups: 0, count: 0 },
    })
  })

  await t.test('by month, of the date that dateType selects, within the same dates as the list', async () => {
    const query = 'dateType=regInJersey&startDate=2016-01-01&endDate=2020-12-31'
    assert.deepEqual(await get(`/v1/vehicles/stats?by=month&${query}`), {
      ...{ total: 4, groups: 2 },
      results: [
        { month: '2020-06', count: 3 },
        { month: '2016-03', count: 1 },
      ],
      rest: { groups: 0, count: 0 },
    })
  })

  await t.test('top lists so many groups, and rest sums up what it leaves out', async () => {
    assert.deepEqual(await get('/v1/vehicles/stats?by=color,fuelType&top=2'), {
      ...{ total: 7, groups: 5 },
      results: [
        { color: 'Blue', fuelType: 'PETROL', count: 3 },
        { color: 'Not Specified', fuelType: 'ELECTRIC', count: 1 },
      ],
      rest: { groups: 3, count: 3 },
    })
    assert.deepEqual((await get('/v1/vehicles/stats?by=make&top=9')).rest, { groups: 0, count: 0 })
  })

  await t.test('with every filter of the list', async () => {
    for (const query of [
      ...['q=fie', 'make=ford&color=blue', 'model=c4', 'fuelType=petrol', 'match=exact&make=208'],
      ...['fuelType=petrol,Electric', 'fuelType=STEAM,GAS&measures=share'],
      ...['minCylinderCapacity=1294&maxCylinderCapacity=1598.5', 'maxWeight=1200', 'minCo2Emissions=1'],
      ...['startDate=2010-02-01', 'q=zzz', `hash=${'0'.repeat(64)}`],
    ]) {
      const { pagination } = await get(`/v1/vehicles?${query}`)
      const { total } = await get(`/v1/vehicles/stats?${query}`)
      assert.equal(total, pagination.totalItems, query)
    }
    assert.equal(
      (await get('/v1/vehicles/stats?minCylinderCapacity=1294&maxCylinderCapacity=1598.5')).total,
      2,
    )
  })

  await t.test('models come with their makes', async () => {
    assert.deepEqual((await get('/v1/vehicles/models?make=208')).results, [
      { make: '208', model: 'GTI', count: 1 },
      { make: '208', model: 'RALLYE', count: 1 },
    ])
    const { total, groups } = await get('/v1/vehicles/models?startDate=2010-02-01&endDate=2010-02-01')
    assert.deepEqual([total, groups], [3, 3])
  })

  await t.test('with a validator, and 304 for a copy that is current', async () => {
    for (const url of [
      '/v1/vehicles/stats?by=make',
      '/v1/vehicles/stats?by=make,model',
      '/v1/vehicles/models',
    ]) {
      const { headers } = await app.inject(url)
      const again = await app.inject({ url, headers: { 'if-none-match': String(headers.etag) } })
      assert.equal(again.statusCode, 304, url)
    }
  })

  await t.test('what is wrong is named, with what is allowed', async () => {
    const keys = 'up to 3 of make, model, color, fuelType, year, month, comma-separated'
    for (const [query, detail, allowed] of [
      ['by=hash', 'by must be one of make, model, color, fuelType, year, month', keys],
      ['by=make,make', 'by names make more than once', keys],
      ['by=make&by=model', 'by is given more than once', 'once'],
      [
        'by=,',
        'by must be a comma-separated list, each one of make, model, color, fuelType, year, month',
        keys,
      ],
      ['by=make,model,color,year', 'by names 4; at most 3 are allowed', keys],
      [
        'measures=make.mean',
        `measures must be one of ${MEASURES}`,
        `a comma-separated list, each one of ${MEASURES}`,
      ],
      [
        'measures=share,share',
        'measures names share more than once',
        `a comma-separated list, each one of ${MEASURES}`,
      ],
      ['fuelType=ELECTRIC,,PETROL', 'fuelType has an empty value', SEVERAL_FUELS],
      ['fuelType=ELECTRIC,electric', 'fuelType names ELECTRIC more than once', SEVERAL_FUELS],
      [`fuelType=${Array(21).fill('GAS')}`, 'fuelType has 21 values; at most 20 are allowed', SEVERAL_FUELS],
      ['top=0', 'top must be at least 1', 'a whole number from 1 to 1000000'],
      [
        'q=...',
        'q has no word of letters or digits',
        '1 to 10 words of letters and digits, 100 characters at most',
      ],
      ['hash=12', 'hash must be 64 hexadecimal digits', '64 hexadecimal digits'],
    ]) {
      const { status, ...problem } = await get(`/v1/vehicles/stats?${query}`)
      assert.deepEqual([status, problem.detail, problem.errors[0].allowed], [400, detail, allowed], query)
    }
  })
})

for (const tableEngine of TABLE_KINDS)
  test(`sums and means from ${tableEngine} are those of the export`, async t => {
    const { app } = await build(t, { vehicles: DECIMALS }, { environment: { TABLE_ENGINE: tableEngine } })
    const [, ...lines] = (await app.inject('/v1/vehicles.csv?fields=color,weight,co2Emissions')).body
      .trim()
      .split('\r\n')
    const cells = lines.map(line => line.split(','))
    const { results } = (await app.inject(`/v1/vehicles/stats?by=color&measures=${ASKED}`)).json()
    assert.equal(results.length, 4)
    for (const group of results) {
      const rows = cells.filter(([color]) => color === group.color)
      const expected: Record<string, unknown> = {
        color: group.color,
        count: rows.length,
        share: rows.length / cells.length,
      }
      for (const [at, field] of [
        [1, 'weight'],
        [2, 'co2Emissions'],
      ] as const) {
        const texts = rows.flatMap(row => row[at] || [])
        // In thousandths, as whole numbers.
        const sum = texts.reduce((so, text) => so + BigInt(Math.round(Number(text) * 1000)), 0n)
        const sorted = texts.map(Number).sort((one, other) => one - other)
        const [values, total] = [texts.length, Number(`${sum}e-3`)]
        expected[field] =
          values === 0
            ? { values, sum: null, mean: null, min: null, max: null }
            : { values, sum: total, mean: total / values, min: sorted[0], max: sorted.at(-1) }
      }
      assert.deepEqual(group, expected)
    }
    const csv = (
      await app.inject('/v1/vehicles/stats.csv?by=color&measures=share,weight.sum,weight.mean&top=1')
    ).body
    const [{ color, count, share, weight }] = results
    assert.equal(
      csv,
      `color,count,share,weight.values,weight.sum,weight.mean\r\n${color},${count},${share},${weight.values},${weight.sum},${weight.mean}\r\n`,
    )
  })

test('places and recalls are counted by their own fields', async t => {
  const { app } = await build(t, ISLAND)
  const results = async (url: string) => (await app.inject(url)).json().results
  assert.deepEqual(await results('/v1/toilets/stats?by=tenure'), [
    { tenure: 'FREEHOLD', count: 1 },
    { tenure: null, count: 1 },
  ])
  assert.deepEqual(await results('/v1/carparks/stats?by=multiStorey,type'), [
    { multiStorey: false, type: 'LONG_STAY', count: 1 },
    { multiStorey: true, type: 'SHORT_STAY', count: 1 },
  ])
  const toilets = (await app.inject('/v1/toilets/stats?by=facilities')).json()
  // One of the two has no facility, and so is in no group.
  assert.deepEqual([toilets.total, toilets.groups], [2, 1])
  for (const query of ['near=49.18,-2.1', 'bbox=-2.3,49.1,-2.2,49.2', 'parish=st%20helier']) {
    const { total } = (await app.inject(`/v1/toilets/stats?by=facilities&${query}`)).json()
    const { pagination, results } = (await app.inject(`/v1/toilets?${query}`)).json()
    assert.equal(total, pagination?.totalItems ?? results.length, query)
  }
  const recalls = (await app.inject('/v1/product-recalls/stats?by=year')).json()
  assert.equal(
    recalls.results.reduce((sum: number, { count }: { count: number }) => sum + count, 0),
    recalls.total,
  )
})
