import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openPage } from '../support/pages.ts'
import { build, publish } from '../support/service.ts'
import { until } from '../support/until.ts'

const PATH = '/v1/vehicles/stats/history'

/** A register with so many petrol and so many electric cars. */
const register = (petrol: number, electric: number) =>
  [
    'MAKE,MODEL,COLOUR,FUEL,FIRST REGISTERED IN JERSEY',
    ...Array.from({ length: petrol }, (_, i) => `FORD,P${i},BLUE,PETROL,01/02/2010`),
    ...Array.from({ length: electric }, (_, i) => `TESLA,E${i},RED,ELECTRIC,01/02/2024`),
    'FIAT,500,,,',
  ].join('\n')

test('each release leaves its counts behind when its records are gone', async t => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.parse('2026-01-10T12:00:00Z') })
  const { app, store } = await build(t, {})
  const untilServed = (release: number) =>
    until(async () => (await app.inject('/v1/datasets/vehicles')).json().release === release, `${release}`)
  const months = [
    [90, 1],
    [88, 3],
    [85, 6],
    [80, 11],
    [76, 16],
    [70, 21],
    [66, 26],
  ] as const
  for (const [petrol, electric] of months) {
    await publish(store, 'vehicles', register(petrol, electric))
    t.mock.timers.tick(31 * 86_400_000)
  }
  await untilServed(7)
  const get = async (query: string) => (await app.inject(`${PATH}?${query}`)).json()
  assert.equal((await app.inject('/v1/datasets/vehicles/releases')).json().results.length, 5)

  await t.test('month by month', async () => {
    const { results } = await get('by=fuelType&value=electric')
    assert.deepEqual(
      results.map(({ at, release, value, count }: Record<string, unknown>) => [
        String(at).slice(0, 7),
        ...[release, value, count],
      ]),
      months.map(([, electric], at) => [`2026-0${at + 1}`, at + 1, 'ELECTRIC', electric]),
    )
    assert.equal(results[0].share, 1 / 92)
  })
  await t.test('the most frequent values, and records without a value', async () => {
    const { results } = await get('by=year&interval=release')
    assert.deepEqual(
      results.slice(0, 3).map(({ value, count }: Record<string, unknown>) => [value, count]),
      [
        ['2010', 90],
        ['2024', 1],
        [null, 1],
      ],
    )
    assert.equal((await get('by=fuelType&top=1')).results.length, months.length)
    const years = (await get('by=year&value=2024&top=1')).results
    assert.deepEqual([years[6].value, years[6].count], ['2024', 26])
  })
  await t.test('after a rollback the counts are those of the release that is current again', async () => {
    await store.releases.makeCurrent('vehicles', 6)
    await untilServed(6)
    const { results } = await get('by=fuelType&value=ELECTRIC')
    const [last] = results.slice(-1)
    assert.deepEqual([last.at.slice(0, 7), last.release, last.count], ['2026-08', 6, 21])
  })
  await t.test('a release that is current once more has another list', async () => {
    const tagOf = async () => (await app.inject(`${PATH}?interval=release`)).headers.etag
    const before = await tagOf()
    for (const release of [7, 6]) {
      t.mock.timers.tick(5000)
      await store.releases.makeCurrent('vehicles', release)
      await untilServed(release)
    }
    assert.notEqual(await tagOf(), before)
  })
  await t.test('on a page', async () => {
    const { body, statusCode } = await openPage(app, '/vehicles/over-time')
    assert.equal(statusCode, 200)
    assert.match(body, /August 2026.*January 2026.*<th scope="row">Petrol<\/th>.*>70<.*>90</s)
    const french = await openPage(app, '/fr/vehicles/over-time?by=color')
    assert.match(french.body, /janvier 2026.*RED.*<polyline/s)
    const wrong = await openPage(app, '/vehicles/over-time?by=model')
    assert.equal(wrong.statusCode, 400)
    assert.match(wrong.body, /make, fuelType, color, year/)
  })
  await t.test('in every format', async () => {
    const csv = await app.inject(`${PATH}?by=color&value=RED&interval=release&format=csv`)
    assert.match(csv.body, /^at,release,value,count,share\r\n2026-01-10T12:00:00\.000Z,1,RED,1,0\.0108/)
    assert.equal((await app.inject(`${PATH}?format=parquet`)).statusCode, 200)
  })
  await t.test('what cannot be asked', async () => {
    for (const [query, allowed] of [
      ['by=model', 'make, fuelType, color, year'],
      ['interval=day', 'month, release'],
      ['top=0', '1 to 1000'],
    ] as const) {
      const response = await app.inject(`${PATH}?${query}`)
      assert.equal(response.statusCode, 400, query)
      assert.match(response.body, new RegExp(allowed), query)
    }
    assert.equal((await app.inject('/v1/toilets/stats/history')).statusCode, 404)
  })
})
