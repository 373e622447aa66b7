import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CARPARKS, DEFIBRILLATORS, ISLAND, OBSERVATION, RECYCLING, TOILETS } from '../support/island.ts'
import { openPage } from '../support/pages.ts'
import { build } from '../support/service.ts'

const EVIL = `"><img src=x onerror="window.ran=1"><script>window.ran=1</script>`

/** The structured data of a page. */
function structured(body: string) {
  const [, text = '{}'] = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(body) ?? []
  return JSON.parse(text)
}

test('every place has a page that says in words what it offers', async t => {
  const { app } = await build(t, ISLAND, { observation: OBSERVATION })
  const pages = {
    [`toilets/${TOILETS[0]?.id}`]: [
      'PublicToilet',
      'Pier',
      'Public toilet in St. Helier',
      'Beach shower',
      '3 cubicles, 2 sinks and period products (tampons, pads)',
    ],
    [`recycling/${RECYCLING[0]?.id}`]: [
      'RecyclingCenter',
      'Parish Hall',
      'Metal packaging · Metal packaging, drinks cans only · Clean glass',
    ],
    [`defibrillators/${DEFIBRILLATORS[0]?.id}`]: [
      'Place',
      'Fire Station',
      'Pad number',
      'Ladies side',
      'call 999 or 112',
    ],
    [`carparks/${CARPARKS[0]?.id}`]: [
      'ParkingFacility',
      'Harbour Street',
      'Short stay',
      'Multi-storey',
      'Phone payment · Paycards',
      '/parking/HARBST',
    ],
  }
  for (const [path, [type, name, ...texts]] of Object.entries(pages)) {
    const { statusCode, body } = await openPage(app, `/places/${path}`)
    assert.equal(statusCode, 200, path)
    assert.ok(body.includes(`<h1>${name}</h1>`), path)
    for (const text of texts) assert.ok(body.includes(text), `${path}: ${text}`)
    assert.ok(body.includes(`<link rel="canonical" href="http://data.example/places/${path}"`), path)
    assert.match(body, /href="https:\/\/www\.openstreetmap\.org\/directions\?to=49\.1[78]\d*%2C-2\.\d+"/)
    assert.match(body, /OpenStreetMap contributors/)
    const { '@type': actual, name: called, geo } = structured(body)
    assert.deepEqual([actual, called, typeof geo.latitude], [type, name, 'number'], path)
  }
})

test('a place has one address for search engines, however it was asked for', async t => {
  const { app } = await build(t, ISLAND)
  const [{ id } = { id: '' }] = CARPARKS
  for (const key of ['harbst', id.toUpperCase()]) {
    const { body } = await openPage(app, `/places/carparks/${key}`)
    assert.ok(body.includes(`<link rel="canonical" href="http://data.example/places/carparks/${id}"`), key)
  }
})

test('a place without a position says so, and is on no map', async t => {
  const { app } = await build(t, ISLAND)
  const { statusCode, body } = await openPage(app, `/places/defibrillators/${DEFIBRILLATORS[1]?.id}`)
  assert.match(body, /call 999 or 112.*gives no position/s, 'what saves a life comes first')
  assert.equal(statusCode, 200)
  assert.match(body, /gives no position/)
  assert.match(body, /openstreetmap\.org\/search\?query=Caf%C3%A9%2C%20St\.%20Mary%2C%20Jersey"/)
  assert.doesNotMatch(body, /maps\/dir|<use href="#place-defibrillators" x=/)
  assert.equal(structured(body).geo, undefined)
})

test('an address without a place is 404 and leads to the map', async t => {
  const { app } = await build(t, ISLAND)
  for (const path of ['/places/toilets/x', '/places/vehicles/1', `/places/recycling/${TOILETS[0]?.id}`]) {
    const { statusCode, body } = await openPage(app, path)
    assert.equal(statusCode, 404, path)
    assert.match(body, /There is no such place/)
    assert.match(body, /href="\/map/)
  }
})

test('nothing in the data of a place is HTML', async t => {
  const [toilet] = TOILETS
  const toilets = [
    { ...toilet, name: EVIL, parish: 'St. Helier', owner: { id: null, name: EVIL }, facilities: [] },
  ]
  const { app } = await build(t, { ...ISLAND, toilets })
  for (const path of [
    `/places/toilets/${toilet?.id}`,
    '/map',
    `/map?place=toilets/${toilet?.id}`,
    `/map?parish=${encodeURIComponent(EVIL)}`,
  ]) {
    const { body } = await openPage(app, path)
    assert.doesNotMatch(body, /<img|<script>/, path)
    assert.doesNotMatch(body, / style="| on\w+="/, path)
  }
})
