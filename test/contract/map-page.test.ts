import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { pino } from 'pino'
import { TileType } from 'pmtiles'
import { checkMap } from '../../src/cli/doctor/configuration.ts'
import { ConfigError, readConfig } from '../../src/config.ts'
import { openMapFile } from '../../src/interfaces/web/map-file.ts'
import { kindOf } from '../../web/src/places/kinds.ts'
import { emptyFolder } from '../support/folder.ts'
import { CARPARKS, DEFIBRILLATORS, ISLAND, KNOWN, OBSERVATION, PLACES, TOILETS } from '../support/island.ts'
import { packMapFile } from '../support/map-file.ts'
import { openPage } from '../support/pages.ts'
import { build, type TestApp } from '../support/service.ts'

/** Every known place of the test island, by kind, parish and name. */
const ALL = ['Pier', 'Dunes', 'Fire Station', 'Café', 'Parish Hall', 'Beach', 'Harbour Street']

const TILES = 'https://tile.example.org/{z}/{x}/{y}.png'

/** A page as HTML that needs no script, without what is embedded for scripts. */
async function open(app: TestApp, url: string) {
  const { statusCode, body, headers } = await openPage(app, url)
  return { statusCode, headers, body: body.replace(/<script id="data".*?<\/script>/s, '') }
}

/** The names in the list, in its order. */
const listed = (body: string) =>
  [...body.matchAll(/place-row-text"><a href="[^"]*">([^<]*)/g)].map(([, name]) => name)

test('the map lists what it shows, without a script', async t => {
  const now = () => Date.parse(OBSERVATION.timestamp) + 60_000
  const { app } = await build(t, KNOWN, { observation: OBSERVATION, now })

  await t.test('every place, those without a position too', async () => {
    const { statusCode, body } = await open(app, '/map')
    assert.equal(statusCode, 200)
    assert.deepEqual(listed(body), ALL)
    assert.match(body, /7 places\. 3 places are only in the list, because the exact location is not known\./)
    assert.match(body, /Dunes<\/a><p class="facts">Public toilet · St\. Ouen · exact location not known/)
    assert.equal([...body.matchAll(/<use href="#place-\w+" x=/g)].length, 4)
    // 02:32 UTC is 03:32 by the island's clock in summer.
    assert.match(body, /332 spaces free at 03:32/)
  })

  await t.test('only what a form asks for', async () => {
    const cases = {
      'dataset=toilets&dataset=recycling': ['Pier', 'Dunes', 'Parish Hall'],
      'parish=st+ouen': ['Dunes'],
      'facility=BEACH_SHOWER': ['Pier'],
      'service=GLASS&service=METAL_PACKING': ['Parish Hall'],
      'dataset=&parish=&facility=': ALL,
      'near=49.18,-2.105&dataset=defibrillators,toilets': ['Fire Station', 'Pier', 'Café', 'Dunes'],
    }
    for (const [query, names] of Object.entries(cases)) {
      const { body } = await open(app, `/map?${query}`)
      assert.deepEqual(listed(body).toSorted(), names.toSorted(), query)
    }
  })

  await t.test('nearest first, with distances', async () => {
    const { body } = await open(app, '/map?near=49.18,-2.1001')
    assert.equal(listed(body)[0], 'Pier')
    assert.match(body, /Pier<\/a><p class="facts">10 m away/)
    assert.match(body, /name="near" value="49.18,-2.1001"/)
  })

  await t.test(
    'under them by parish the places whose position is not known, and how many they are',
    async () => {
      const { body } = await open(app, '/map?near=49.18,-2.1001')
      assert.deepEqual(listed(body), [
        'Pier',
        'Fire Station',
        'Harbour Street',
        'Parish Hall',
        'Café',
        'Dunes',
        'Beach',
      ])
      assert.match(
        body,
        /7 places, nearest first\. Distances are in a straight line\. The exact location of 3 places is not known\. They come last, by parish\./,
      )
      const [, others = ''] = body.split('Exact location not known')
      assert.deepEqual(listed(others), ['Café', 'Dunes', 'Beach'])
      assert.match(
        others,
        /<a [^>]*href="https:\/\/www\.openstreetmap\.org\/search\?query=Dunes%2C%20St\.%20Ouen%2C%20Jersey"[^>]*>Search by name</,
      )
      const one = await open(app, '/map?near=49.18,-2.1001&parish=St.+Ouen')
      assert.deepEqual(listed(one.body), ['Dunes'])
      assert.match(one.body, /The exact location of 1 place is not known\. It comes last\./)
      const none = await open(app, '/map?near=49.18,-2.1001&dataset=recycling')
      assert.match(none.body, /1 place, nearest first\. Distances are in a straight line\.</)
    },
  )

  await t.test('with nonsense it says what it is, beside the field, and shows the rest', async () => {
    const { statusCode, body } = await open(app, '/map?parish=Atlantis&dataset=toilets&near=here')
    assert.equal(statusCode, 400)
    assert.match(body, /“Atlantis” is not in the list\./)
    assert.match(body, /“here” must be latitude,longitude/)
    assert.deepEqual(listed(body), ['Pier', 'Dunes'])
  })

  await t.test('a link to a place opens it; to one that is gone, it says so', async () => {
    const { body } = await open(app, `/map?dataset=carparks&place=toilets/${TOILETS[0]?.id}`)
    assert.deepEqual(listed(body), ['Pier', 'Beach', 'Harbour Street'])
    const gone = await open(app, '/map?place=toilets/gone')
    assert.equal(gone.statusCode, 404)
    assert.match(gone.body, /No place has this address/)
    assert.equal(listed(gone.body).length, 7)
  })

  await t.test('what excludes itself explains itself', async () => {
    const { body } = await open(app, '/map?facility=BEACH_SHOWER&service=GLASS')
    assert.match(body, /No place matches\. Only toilets have facilities/)
  })
})

test('a list is by parish and name, whatever the order of the source', async t => {
  const place = (name: string, parish: string | null, index: number) => ({
    ...DEFIBRILLATORS[0],
    ...{ id: `2f1e0d9c-8b7a-4695-8473-6251403928${10 + index}`, location: name, parish },
  })
  const defibrillators = [
    ...[place('Hall 10', 'Trinity', 0), place('Zoo', 'St. Ouën', 1), place('Éclair', 'St Ouen', 2)],
    ...[place('Fire', 'Grouville', 3), place('Hall 9', 'Trinity', 4)],
  ]
  const { app } = await build(t, { defibrillators })
  const { body } = await open(app, '/map?dataset=defibrillators')
  assert.deepEqual(listed(body), ['Fire', 'Éclair', 'Zoo', 'Hall 9', 'Hall 10'])
  const { results } = (await app.inject('/v1/places')).json()
  assert.deepEqual(
    results.map(({ name }: { name: string }) => name),
    ['Hall 10', 'Zoo', 'Éclair', 'Fire', 'Hall 9'],
  )
})

test('a count that cannot be trusted is not shown', async t => {
  const now = () => Date.parse(OBSERVATION.timestamp) + 3 * 3_600_000
  const { app } = await build(t, ISLAND, { observation: OBSERVATION, now })
  const { body } = await open(app, '/map?dataset=carparks')
  assert.ok(body.includes(CARPARKS[0]?.name ?? '?'))
  assert.doesNotMatch(body, /332|spaces free/)
})

test('a dataset that is not available is named; without any the page says so', async t => {
  const { app } = await build(t, { toilets: TOILETS })
  const { statusCode, body } = await open(app, '/map')
  assert.equal(statusCode, 200)
  const others = PLACES.filter(name => name !== 'toilets').map(name => kindOf(name)?.many ?? name)
  assert.ok(body.includes(`Not available now: ${others.join(', ')}.`), others.join())
  assert.deepEqual(others.slice(0, 3), ['Car parks', 'Recycling', 'Defibrillators'])
  const empty = await build(t)
  const none = await open(empty.app, '/map')
  assert.equal(none.statusCode, 503)
  assert.match(none.body, /<h1>/)
})

test('tiles come from the one origin that the operator has set', async t => {
  const policyOf = async (environment: Record<string, string>) => {
    const { app } = await build(t, ISLAND, { environment })
    const { headers, body } = await open(app, '/map')
    const [, images = ''] = /img-src ([^;]*)/.exec(String(headers['content-security-policy'])) ?? []
    return { images, body }
  }
  assert.equal((await policyOf({})).images, "'self' data: blob:")
  const { images, body } = await policyOf({ MAP_TILE_URL: TILES, MAP_TILE_ATTRIBUTION: '© A & B' })
  assert.equal(images, "'self' data: blob: https://tile.example.org")
  assert.match(body, /Map: © A &amp; B/)
})

test('the address of tiles is https with its placeholders, and holds no secret', () => {
  assert.equal(readConfig({ MAP_TILE_URL: TILES }).MAP_TILE_URL, TILES)
  for (const url of [
    'http://tile.example.org/{z}/{x}/{y}.png',
    'https://tile.example.org/{z}/{x}.png',
    'https://{s}.tile.example.org/{z}/{x}/{y}.png',
    `https://${'user:secret'}@tile.example.org/{z}/{x}/{y}.png`,
    'https://a.example; script-src https://b.example/{z}/{x}/{y}',
    'nonsense',
  ])
    assert.throws(() => readConfig({ MAP_TILE_URL: url }), ConfigError, url)
})

const fileIn = async (t: TestContext, content: Buffer) => {
  const path = join(await emptyFolder(t), 'island.pmtiles')
  await writeFile(path, content)
  return path
}

test("the map's file is served in parts, and goes before tiles of another host", async t => {
  const content = packMapFile()
  const environment = { MAP_FILE: await fileIn(t, content), MAP_TILE_URL: TILES }
  const { app } = await build(t, ISLAND, { environment })
  const page = await open(app, '/map')
  assert.match(page.body, /"baseMap":\{"path":"\/map\.pmtiles"/)
  assert.match(page.body, /Map: © OpenStreetMap</)
  assert.doesNotMatch(String(page.headers['content-security-policy']), /tile\.example\.org/)

  const whole = await app.inject({ url: '/map.pmtiles' })
  assert.equal(whole.statusCode, 200)
  assert.deepEqual(whole.rawPayload, content)
  const { etag = '' } = whole.headers
  const part = await app.inject({
    url: '/map.pmtiles',
    headers: { range: 'bytes=0-126', 'if-range': String(etag) },
  })
  assert.equal(part.statusCode, 206)
  assert.deepEqual(part.rawPayload, content.subarray(0, 127))
  assert.equal(part.headers['content-range'], `bytes 0-126/${content.length}`)
  const known = await app.inject({ url: '/map.pmtiles', headers: { 'if-none-match': String(etag) } })
  assert.equal(known.statusCode, 304)
  const beyond = await app.inject({ url: '/map.pmtiles', headers: { range: `bytes=${content.length}-` } })
  assert.equal(beyond.statusCode, 416)

  // Another instance has its own copy.
  const copy = await build(t, ISLAND, { environment: { MAP_FILE: await fileIn(t, content) } })
  assert.equal((await copy.app.inject({ url: '/map.pmtiles' })).headers.etag, etag)
})

test("a map's file that cannot be used leaves the outline, one event and one line of the doctor", async t => {
  const sound = packMapFile()
  const version2 = Buffer.from(sound)
  version2[7] = 2
  const cases: Record<string, [content: Buffer, detail: RegExp]> = {
    empty: [Buffer.alloc(0), /is not a PMTiles file$/],
    'of another kind': [Buffer.from('x'.repeat(500)), /is not a PMTiles file$/],
    'of an old version': [version2, /is PMTiles version 2: only version 3 can be used$/],
    'cut short': [sound.subarray(0, -5), /is cut short: it has \d+ of \d+ bytes$/],
    'of images': [packMapFile({ tileType: TileType.Png }), /has images as tiles: only vector tiles/],
    'without streets': [
      packMapFile({ metadata: '{"vector_layers":[{"id":"x"}]}' }),
      /no layer "roads" but x:/,
    ],
    'with damaged metadata': [packMapFile({ metadata: '{' }), /is damaged: its metadata cannot be read$/],
  }
  for (const [name, [content, detail]] of Object.entries(cases))
    await t.test(name, async t => {
      const MAP_FILE = await fileIn(t, content)
      assert.throws(() => openMapFile(MAP_FILE), detail)
      const [check] = checkMap(readConfig({ MAP_FILE }))
      assert.equal(check?.status, 'fail')
    })
  const lines: string[] = []
  const log = pino({}, { write: line => void lines.push(line) })
  assert.throws(() => openMapFile('/tmp'), /\/tmp is not a file$/)
  const { app } = await build(t, ISLAND, { log, environment: { MAP_FILE: '/nowhere/island.pmtiles' } })
  const { statusCode, body } = await open(app, '/map')
  assert.equal(statusCode, 200)
  assert.match(body, /class="island-ground"/)
  assert.equal((await app.inject({ url: '/map.pmtiles' })).statusCode, 404)
  const told = lines.map(line => JSON.parse(line)).filter(({ event }) => event === 'map-file-unusable')
  assert.deepEqual(
    told.map(({ detail }) => detail),
    ['/nowhere/island.pmtiles cannot be read (ENOENT)'],
  )
})
