import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  CARPARKS,
  DEFIBRILLATORS,
  ISLAND,
  KNOWN,
  OBSERVATION,
  PLACES,
  RECYCLING,
  TOILETS,
} from '../support/island.ts'
import { build, publish } from '../support/service.ts'
import { until } from '../support/until.ts'

const NEAR = '49.18,-2.1'

test('lists of places: filters, boxes and the nearest', async t => {
  const { app } = await build(t, ISLAND)
  const get = async (url: string) => {
    const { statusCode: status, body } = await app.inject(encodeURI(url))
    return { status, body: JSON.parse(body) }
  }
  const names = async (url: string) =>
    (await get(url)).body.results.map((one: { name?: string; location?: string }) => one.name ?? one.location)

  await t.test(
    'a parish is found whatever its case, accents and dots, also where a list has none of it',
    async () => {
      for (const parish of ['St. Helier', 'st helier', 'ST. HÉLIER'])
        assert.deepEqual(await names(`/v1/toilets?parish=${parish}`), ['Pier'], parish)
      assert.deepEqual(await names('/v1/toilets?parish=St Mary'), [])
      const { status, body } = await get('/v1/toilets?parish=St Heller')
      assert.equal(status, 400)
      assert.equal(body.errors[0].nearest, 'St. Helier')
    },
  )

  await t.test('facilities, services, types and storeys; several services must all be there', async () => {
    assert.deepEqual(await names('/v1/toilets?facility=beach_shower'), ['Pier'])
    assert.deepEqual(await names('/v1/toilets?facility=BABY_CHANGING'), [])
    assert.deepEqual(await names('/v1/recycling?service=glass,metal_packing'), ['Parish Hall'])
    assert.deepEqual(await names('/v1/recycling?service=GLASS,PAPER'), [])
    assert.deepEqual(await names('/v1/carparks?type=long_stay'), ['Beach'])
    assert.deepEqual(await names('/v1/carparks?multiStorey=true'), ['Harbour Street'])
    assert.match((await get('/v1/recycling?service=GLAS')).body.errors[0].nearest, /^GLASS$/)
  })

  await t.test('the two spellings of metal packaging mean the same', async () => {
    const [centre] = RECYCLING
    const { app } = await build(t, {
      recycling: [{ ...centre, services: ['METAL_PACKAGING'] }],
    })
    const found = async (service: string) =>
      (await app.inject(`/v1/recycling?service=${service}`)).json().results.length
    assert.deepEqual([await found('METAL_PACKING'), await found('METAL_PACKAGING')], [1, 1])
    assert.equal(await found('METAL_PACKAGING_DRINK_CANS'), 0)
  })

  await t.test(
    'the nearest come first with their distance, those without a position not at all',
    async () => {
      const { body } = await get(`/v1/defibrillators?near=${NEAR}`)
      assert.deepEqual(
        body.results.map(({ id, distanceMetres }: { id: string; distanceMetres: number }) => [
          id,
          distanceMetres,
        ]),
        [[DEFIBRILLATORS[0]?.id, 727]],
      )
      const { distanceMetres, ...record } = body.results[0]
      assert.equal(JSON.stringify(record), JSON.stringify(DEFIBRILLATORS[0]))
      assert.deepEqual(await names(`/v1/defibrillators?near=${NEAR}&radius=726`), [])
      assert.deepEqual(await names(`/v1/toilets?near=${NEAR}&radius=0.5`), ['Pier'])
      assert.deepEqual((await get(`/v1/toilets?near=${NEAR}&fields=name`)).body.results, [
        { name: 'Pier', distanceMetres: 0 },
      ])
    },
  )

  await t.test('a box has its edges', async () => {
    assert.deepEqual(await names('/v1/toilets?bbox=-2.1,49.18,-2.1,49.18'), ['Pier'])
    assert.deepEqual(await names('/v1/toilets?bbox=-2.09,49.1,-2,49.3'), [])
  })

  await t.test('positions and distances may have every digit that a program computes', async () => {
    assert.deepEqual(await names('/v1/toilets?bbox=-2.1000000000000005,49.17999999999999,-2.1,49.18'), [
      'Pier',
    ])
    assert.deepEqual(
      await names('/v1/toilets?near=49.18000000000001,-2.1000000000000005&radius=0.12345678901234568'),
      ['Pier'],
    )
  })

  for (const [query, detail] of [
    ['bbox=-2,49,-3,50', /west east of its east.*180/],
    ['bbox=-3,50,-2,49', /south north of its north/],
    ['bbox=-3,49,-2', /must be west,south,east,north/],
    ['bbox=-3,49,-2,91', /latitude beyond 90/],
    ['bbox=-3,49,NaN,50', /must be west,south,east,north/],
    ['bbox=49.1,-2.3,49.3,-2', /latitudes before longitudes/],
    ['near=91,0', /latitude beyond 90/],
    ['near=49,181', /longitude beyond 180/],
    ['near=-2.1,49.18', /longitude before the latitude/],
    ['near=here', /must be latitude,longitude/],
    ['near=,', /must be latitude,longitude/],
    ['radius=500', /without near/],
    [`near=${NEAR}&radius=0`, /metres above 0/],
    [`near=${NEAR}&radius=1e3`, /metres|number/],
    ['fields=name,nothing', /must be one of id,/],
    ['fields=,', /comma-separated/],
    ['limit=0', /at least 1/],
  ] as const)
    await t.test(`${query} is refused with what is allowed`, async () => {
      const { status, body } = await get(`/v1/toilets?${query}`)
      assert.equal(status, 400)
      assert.match(body.errors[0].detail, detail)
      assert.ok(body.errors[0].allowed.length > 3)
    })

  await t.test('one record by its id, whatever its case', async () => {
    for (const [path, [record]] of [
      ['/v1/toilets', TOILETS],
      ['/v1/recycling', RECYCLING],
      ['/v1/defibrillators', DEFIBRILLATORS],
      ['/v1/product-recalls', ISLAND['product-recalls']],
    ] as const) {
      const response = await app.inject(`${path}/${String(record?.id).toUpperCase()}`)
      assert.equal(response.body, JSON.stringify(record))
      assert.ok(response.headers.etag)
    }
    const { status, body } = await get('/v1/toilets/7a0f3a52-9c2e-4b7c-9d3c-000000000000')
    assert.equal(status, 404)
    assert.match(body.errors[0].allowed, /an id from \/v1\/toilets/)
  })
})

test('places of every dataset', async t => {
  const { app, store, snapshots } = await build(t, KNOWN, {
    observation: OBSERVATION,
    now: () => Date.parse(OBSERVATION.timestamp) + 60_000,
  })
  const get = async (query: string) => (await app.inject(`/v1/places?${query}`)).json()
  const found = async (query: string) =>
    (await get(query)).results.map(
      (place: { dataset: string; name: string }) => `${place.dataset} ${place.name}`,
    )

  await t.test('come nearest first across datasets', async () => {
    assert.deepEqual(await found(`near=${NEAR}`), [
      'toilets Pier',
      'defibrillators Fire Station',
      'carparks Harbour Street',
      'recycling Parish Hall',
    ])
    assert.deepEqual(await found(`near=${NEAR}&dataset=defibrillators,recycling&limit=1`), [
      'defibrillators Fire Station',
    ])
    const [pier] = (await get(`near=${NEAR}`)).results
    const { body } = await app.inject(pier.path)
    assert.equal(body, JSON.stringify(TOILETS[0]))
  })

  await t.test('a facility, service or type selects from the datasets that have it', async () => {
    assert.deepEqual(await found('facility=BEACH_SHOWER'), ['toilets Pier'])
    assert.deepEqual(await found('service=GLASS'), ['recycling Parish Hall'])
    assert.deepEqual(await found('parish=st helier'), ['toilets Pier', 'defibrillators Fire Station'])
    assert.deepEqual(await found('service=GLASS&facility=BEACH_SHOWER'), [])
  })

  await t.test('car parks with free spaces now, by counts that can be trusted', async () => {
    const [place] = (await get('minFreeSpaces=1')).results
    const live = (await app.inject('/v1/carparks/HARBST/live')).json()
    assert.equal(place.id, CARPARKS[0]?.id)
    assert.deepEqual(
      [place.freeSpaces, place.open, place.quality, place.observedAt],
      [live.spaces, live.open, live.quality, live.observedAt],
    )
    assert.deepEqual(await found(`minFreeSpaces=${live.spaces + 1}`), [])
    const places = (await get('include=live')).results
    const toilet = places.find(({ dataset }: { dataset: string }) => dataset === 'toilets')
    assert.equal(toilet.freeSpaces, null)
  })

  await t.test('a dataset that is not available is named; an unknown one is refused', async () => {
    const { app } = await build(t, { toilets: TOILETS })
    const { results, unavailable } = (await app.inject('/v1/places')).json()
    assert.equal(results.length, TOILETS.length)
    assert.deepEqual(
      unavailable,
      PLACES.filter(name => name !== 'toilets'),
    )
    assert.equal((await app.inject('/v1/places?dataset=recycling')).statusCode, 503)
    const refused = (await get('dataset=,')).errors
    assert.match(refused[0].detail, /must be a comma-separated list, each one of carparks/)
    const { errors } = await get('dataset=toilet')
    assert.equal(errors[0].nearest, 'toilets')
  })

  await t.test('a new release is found at once', async () => {
    await publish(store, 'recycling', [{ ...RECYCLING[0], location: 'Quarry' }])
    await until(() => snapshots.get('recycling')?.release.number === 2, 'the second release')
    assert.deepEqual(await found('service=GLASS'), ['recycling Quarry'])
  })
})
