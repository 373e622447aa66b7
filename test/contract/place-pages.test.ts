import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { toilets } from '../../src/datasets/toilets/index.ts'
import { importDataset } from '../../src/releases/import/import.ts'
import {
  CARPARKS,
  DEFIBRILLATORS,
  ISLAND,
  OBSERVATION,
  RECALLS,
  RECYCLING,
  TOILETS,
} from '../support/island.ts'
import { hrefOf, openPage, textOf } from '../support/pages.ts'
import { build, publish } from '../support/service.ts'
import { until } from '../support/until.ts'

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
      'Defibrillator number',
      'Ladies side',
      'call 999 or 112',
    ],
  }
  for (const [path, [type, name, ...texts]] of Object.entries(pages)) {
    const { statusCode, body } = await openPage(app, `/places/${path}`)
    assert.equal(statusCode, 200, path)
    assert.ok(body.includes(`<h1>${name}</h1>`), path)
    for (const text of texts) assert.ok(body.includes(text), `${path}: ${text}`)
    assert.ok(body.includes(`<link rel="canonical" href="http://data.example/places/${path}"`), path)
    // What chats show of a shared link.
    const shared = {
      title: name,
      url: `http://data.example/places/${path}`,
      image: 'http://data.example/icon-512.png',
    }
    for (const [tag, value] of Object.entries(shared))
      assert.ok(body.includes(`<meta property="og:${tag}" content="${value}`), `${path}: ${tag}`)
    assert.match(body, /href="https:\/\/www\.openstreetmap\.org\/directions\?to=49\.1[78]\d*%2C-2\.\d+"/)
    assert.match(body, /OpenStreetMap contributors/)
    const { '@type': actual, name: called, geo } = structured(body)
    assert.deepEqual([actual, called, typeof geo.latitude], [type, name, 'number'], path)
  }
})

test('a place has one address for search engines, however it was asked for', async t => {
  const { app } = await build(t, ISLAND)
  const [harbour = assert.fail(), beach = assert.fail()] = CARPARKS
  const [pier = assert.fail()] = TOILETS
  const asked = {
    [`/places/toilets/${pier.id}`]: [`/places/toilets/${pier.id.toUpperCase()}`],
    '/parking/HARBST': ['/parking/harbst', '/parking/HARB%53T'],
    [`/parking/${beach.id}`]: [`/parking/${beach.id.toUpperCase()}`],
  }
  for (const [main, paths] of Object.entries(asked))
    for (const path of [main, ...paths]) {
      const { statusCode, body } = await openPage(app, path)
      assert.equal(statusCode, 200, path)
      assert.ok(body.includes(`<link rel="canonical" href="http://data.example${main}"`), path)
    }
  for (const [path, main] of [
    [`/places/carparks/${harbour.id}`, '/parking/HARBST'],
    ['/places/carparks/harbst', '/parking/HARBST'],
    [`/parking/${harbour.id.toUpperCase()}`, '/parking/HARBST'],
    [`/places/carparks/${beach.id}`, `/parking/${beach.id}`],
  ]) {
    const { statusCode, headers } = await openPage(app, `${path}`)
    assert.deepEqual([statusCode, headers.location], [302, main], path)
  }
})

test('every page and document links a car park by its one address', async t => {
  const { app } = await build(t, ISLAND, { observation: OBSERVATION })
  const [harbour = assert.fail(), beach = assert.fail()] = CARPARKS
  for (const path of [
    '/',
    '/parking',
    '/parking/HARBST',
    `/parking/${beach.id}`,
    '/map',
    `/map?place=carparks/${harbour.id}`,
    '/search?q=harbour',
    '/sitemap.xml',
  ]) {
    const { body } = await openPage(app, path)
    assert.doesNotMatch(body, /places\/carparks/, path)
    assert.ok(!body.includes(`/parking/${harbour.id}`), path)
  }
})

test('a place without a position says so, and is on no map', async t => {
  const { app } = await build(t, ISLAND)
  const { statusCode, body } = await openPage(app, `/places/defibrillators/${DEFIBRILLATORS[1]?.id}`)
  assert.match(body, /call 999 or 112.*Exact location not known/s, 'what saves a life comes first')
  assert.equal(statusCode, 200)
  assert.match(body, /Exact location not known/)
  assert.match(body, /openstreetmap\.org\/search\?query=Caf%C3%A9%2C%20St\.%20Mary%2C%20Jersey"/)
  assert.doesNotMatch(body, /maps\/dir|<use href="#place-defibrillators" x=/)
  assert.equal(structured(body).geo, undefined)
})

test('an address without a place is 404 and leads to the map', async t => {
  const { app } = await build(t, ISLAND)
  for (const path of ['/places/toilets/x', '/places/vehicles/1', `/places/recycling/${TOILETS[0]?.id}`]) {
    const { statusCode, body } = await openPage(app, path)
    assert.equal(statusCode, 404, path)
    assert.match(body, /Place not found/)
    assert.match(body, /href="\/map/)
  }
})

test('a place that left the list keeps a page with its name, the date and the nearest of its kind', async t => {
  const { app, store, snapshots } = await build(t, ISLAND)
  const [gone = assert.fail(), unlocated = assert.fail()] = TOILETS
  const near = { ...gone, id: gone.id.replace('7', '8'), name: 'Slip', latitude: 49.185 }
  await publish(store, 'toilets', [unlocated, near])
  await until(() => snapshots.get('toilets')?.release.number === 2, 'release 2')
  const { statusCode, body } = await openPage(app, `/places/toilets/${gone.id}`)
  assert.equal(statusCode, 410)
  assert.ok(body.includes(`<h1>${gone.name}</h1>`))
  assert.match(textOf(body), /Public toilet\. It left the list on \d+ \w+ \d{4}\./)
  assert.ok(body.includes(`<a href="/places/toilets/${near.id}">Slip</a> · 560 m`), body)
  assert.match(body, /href="\/map\?dataset=toilets"/)
  assert.equal((await openPage(app, `/places/toilets/${gone.id.replace('7', '9')}`)).statusCode, 404)
})

test('a car park that left the list keeps its page at each of its addresses', async t => {
  const { app, store, snapshots } = await build(t, ISLAND, { observation: OBSERVATION })
  const [harbour = assert.fail(), beach = assert.fail()] = CARPARKS
  const quay = { ...harbour, id: harbour.id.replace(/^./, '9'), name: 'Quay', liveTrackingCode: 'QUAY' }
  await publish(store, 'carparks', [beach, quay])
  await until(() => snapshots.get('carparks')?.release.number === 2, 'release 2')
  for (const path of ['/parking/HARBST', `/parking/${harbour.id}`, `/places/carparks/${harbour.id}`]) {
    const { statusCode, body } = await openPage(app, path)
    assert.equal(statusCode, 410, path)
    assert.ok(body.includes(`<h1>${harbour.name}</h1>`), path)
    assert.ok(body.includes('<a href="/parking/QUAY">Quay</a>'), path)
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

test('a place that its source puts off the island says which position is shown, and so does the catalogue', async t => {
  const { app, store, snapshots } = await build(t, ISLAND)
  const [pier = assert.fail()] = TOILETS
  const added = { ...pier, id: pier.id.replace('7', '8'), name: 'New' }
  const off = { latitude: 48.8566, longitude: 2.3522 }
  const source = JSON.stringify([{ ...pier, ...off }, ...TOILETS.slice(1), { ...added, ...off }])
  const input = Readable.from([Buffer.from(source)])
  const report = await importDataset({ store, dataset: toilets, source: 'test', input })
  assert.equal(report.outcome, 'published', report.reason)
  await until(() => snapshots.get('toilets')?.release.number === 2, 'release 2')

  const { warnings } = (await app.inject('/v1/datasets/toilets')).json()
  assert.deepEqual(warnings[0], {
    ...{ kind: 'held-back', records: 2 },
    detail:
      '2 of 3 records have a position off the island in the source, and are published with their last good one, or without one if they had none.',
    ids: [pier.id, added.id],
  })
  const pageOf = async (id: string) => textOf((await openPage(app, `/places/toilets/${id}`)).body)
  const page = await pageOf(pier.id)
  assert.match(page, /now puts this place off the island\. We show its last good position\./)
  assert.match(page, /49\.18000, -2\.10000/)
  assert.match(await pageOf(added.id), /puts this place off the island, so it is not on the map/)
  assert.doesNotMatch(await pageOf(TOILETS[1]?.id ?? ''), /off the island/)
  const [first] = (await app.inject('/v1/toilets')).json().results
  assert.deepEqual(first, (await app.inject(`/v1/toilets/${pier.id}`)).json())
  assert.deepEqual([first.latitude, first.longitude], [pier.latitude, pier.longitude])
})

test('the addresses that people type lead to pages, and name the data for programs', async t => {
  const { app } = await build(t, ISLAND, { observation: OBSERVATION })
  for (const path of ['/toilets', '/recycling', '/defibrillators', '/carparks']) {
    const { statusCode, headers } = await openPage(app, path)
    assert.equal(statusCode, 302, path)
    assert.equal((await openPage(app, String(headers.location))).statusCode, 200, path)
    assert.equal(headers.link, `</v1${path}>; rel="alternate"; type="application/json"`)
  }
})

test('each page of a record has a link to report a mistake, if the operator has a contact', async t => {
  const paths = [`/places/toilets/${TOILETS[0]?.id}`, '/parking/HARBST', `/recalls/${RECALLS[0]?.id}`]
  const linkIn = async (contact: object | undefined, path: string) => {
    const { app } = await build(
      t,
      ISLAND,
      contact === undefined ? {} : { metadata: { title: 'Data', contact } },
    )
    const [, href] = /href="([^"]*)">Report a mistake</.exec((await openPage(app, path)).body) ?? []
    return href && hrefOf(href)
  }
  for (const path of paths) {
    const mail = new URL((await linkIn({ email: 'data@example.org' }, path)) ?? '')
    assert.deepEqual([mail.protocol, mail.pathname], ['mailto:', 'data@example.org'], path)
    assert.ok(mail.searchParams.get('body')?.includes(`http://data.example${path}`), path)
    assert.equal(await linkIn({ url: 'https://example.org/contact' }, path), 'https://example.org/contact')
    assert.equal(await linkIn({ name: 'Somebody' }, path), undefined)
    assert.equal(await linkIn(undefined, path), undefined)
  }
})
