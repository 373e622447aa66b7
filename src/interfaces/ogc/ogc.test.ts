import assert from 'node:assert/strict'
import { test } from 'node:test'
import Type from 'typebox'
import { DEFIBRILLATORS, ISLAND, PLACES, TOILETS } from '../../../test/support/island.ts'
import { build } from '../../../test/support/service.ts'
import { declareDataset } from '../../datasets/dataset.ts'
import * as field from '../../datasets/fields.ts'

const BASE = 'http://data.example/ogc'
const CRS84 = 'http://www.opengis.net/def/crs/OGC/1.3/CRS84'

/** Made up: fields of each kind that filters, an unknown position, and a position beyond the island. */
const wells = declareDataset({
  name: 'wells',
  title: 'Wells',
  description: 'Made up.',
  knownBy: ['name'],
  maxAge: 60,
  identity: { kind: 'given' },
  record: Type.Object(
    {
      id: field.integer({ description: 'Number.' }),
      name: field.text({ description: 'Name.', filter: 'contains', sort: true }),
      parish: field.text({ description: 'Parish.', filter: 'equals' }),
      depth: field.nullableNumber({ description: 'Metres.', filter: 'range' }),
      latitude: field.latitude(),
      longitude: field.longitude(),
    },
    { $id: 'Well', title: 'Well' },
  ),
  list: { operationId: 'listWells', summary: 'All wells' },
})

const WELLS = [
  { id: 1, name: 'Été', parish: 'St. Helier', depth: 4, latitude: 49.1, longitude: -2.2 },
  { id: 2, name: 'Cold', parish: 'St. Ouen', depth: 9.5, latitude: 49.2, longitude: -2.1 },
  { id: 3, name: 'Lost', parish: 'St. Helier', depth: null, latitude: null, longitude: null },
  { id: 4, name: 'Deep', parish: 'Trinity', depth: 40, latitude: 49.2, longitude: -2.0 },
]

interface Link {
  readonly rel: string
  readonly href: string
  readonly type: string
  readonly title: string
}

const withRel = (links: readonly Link[], rel: string) => links.filter(link => link.rel === rel)

async function serveWells(t: Parameters<typeof build>[0], environment: Record<string, string> = {}) {
  const { app } = await build(t, { wells: WELLS }, { datasets: [wells], environment })
  const get = async (query: string) => app.inject(`/ogc/collections/wells/items${query}`)
  const ids = async (query: string) => (await get(query)).json().features.map(({ id }: { id: number }) => id)
  const errorOf = async (query: string) => {
    const response = await get(query)
    assert.equal(response.statusCode, 400, query)
    const { code, errors } = response.json()
    return { code, ...errors[0] }
  }
  return { app, get, ids, errorOf }
}

test('the documents lead a client from the landing page to every feature', async t => {
  const metadata = {
    title: 'Data of the parish',
    description: 'What it publishes.',
    publisher: 'The parish',
    licence: 'CC BY 4.0',
    licenceUrl: 'https://licence.example/by',
    attribution: 'By the parish.',
  }
  const { app } = await build(t, ISLAND, { metadata })
  const follow = async (link: Link | undefined) => {
    assert.ok(link !== undefined)
    const response = await app.inject(link.href.replace('http://data.example', ''))
    assert.equal(response.statusCode, 200, link.href)
    assert.equal(String(response.headers['content-type']).split('; ')[0], link.type, link.href)
    return response.json()
  }
  const landing = (await app.inject('/ogc')).json()
  assert.equal(landing.title, metadata.title)
  assert.deepEqual(
    landing.links.map(({ rel, href, type }: Link) => [rel, href, type]),
    [
      ['self', BASE, 'application/json'],
      ['service-desc', `${BASE}/api`, 'application/vnd.oai.openapi+json;version=3.0'],
      ['conformance', `${BASE}/conformance`, 'application/json'],
      ['data', `${BASE}/collections`, 'application/json'],
    ],
  )
  for (const link of landing.links) await follow(link)
  const { conformsTo } = await follow(withRel(landing.links, 'conformance')[0])
  assert.deepEqual(
    conformsTo,
    ['core', 'oas30', 'geojson'].map(
      name => `http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/${name}`,
    ),
  )
  const { collections } = await follow(withRel(landing.links, 'data')[0])
  const found: Record<string, number> = {}
  for (const collection of collections) {
    const [self, items, licence] = ['self', 'items', 'license'].map(rel => withRel(collection.links, rel)[0])
    assert.deepEqual(await follow(self), collection)
    assert.equal(licence?.href, metadata.licenceUrl)
    assert.equal(collection.attribution, metadata.attribution)
    assert.match(collection.description, /Publisher: The parish\. Licence: CC BY 4\.0/)
    assert.deepEqual([collection.itemType, collection.crs], ['feature', [CRS84]])
    const page = await follow(items)
    found[collection.id] = page.numberMatched
    for (const feature of page.features) {
      const alone = await follow({
        rel: 'item',
        title: '',
        type: 'application/geo+json',
        href: `${BASE}/collections/${collection.id}/items/${feature.id}`,
      })
      const { links, ...rest } = alone
      assert.deepEqual(rest, feature)
      assert.deepEqual(await follow(withRel(links, 'self')[0]), alone)
      assert.deepEqual(await follow(withRel(links, 'collection')[0]), collection)
    }
  }
  assert.deepEqual(Object.keys(found), PLACES)
  const { carparks, toilets, recycling, defibrillators } = found
  assert.deepEqual(
    { carparks, toilets, recycling, defibrillators },
    { carparks: 2, toilets: 2, recycling: 1, defibrillators: 2 },
  )
})

test('a feature is the record as its list has it, with longitude first, and null where it has no position', async t => {
  const { app } = await build(t, ISLAND)
  const { features } = (await app.inject('/ogc/collections/toilets/items')).json()
  assert.deepEqual(features, [
    {
      type: 'Feature',
      id: TOILETS[0]?.id,
      geometry: { type: 'Point', coordinates: [-2.1, 49.18] },
      properties: TOILETS[0],
    },
    { type: 'Feature', id: TOILETS[1]?.id, geometry: null, properties: TOILETS[1] },
  ])
  const carparks = (await app.inject('/ogc/collections/carparks/items')).json().features
  const list = (await app.inject('/v1/carparks')).json().results
  assert.deepEqual(
    carparks.map(({ properties }: { properties: object }) => properties),
    list,
  )
})

test('the extent of a collection holds its positions; without any there is none', async t => {
  const { app } = await build(t, { wells: WELLS }, { datasets: [wells] })
  const { extent } = (await app.inject('/ogc/collections/wells')).json()
  assert.deepEqual(extent, { spatial: { bbox: [[-2.2, 49.1, -2, 49.2]], crs: CRS84 } })
  const nowhere = await build(t, { wells: WELLS.slice(2, 3) }, { datasets: [wells] })
  assert.equal('extent' in (await nowhere.app.inject('/ogc/collections/wells')).json(), false)
})

test('pages link each other, and hold every feature once', async t => {
  const { get, ids } = await serveWells(t)
  const href = `${BASE}/collections/wells/items`
  const page = (await get('?limit=3')).json()
  assert.deepEqual([page.numberMatched, page.numberReturned], [4, 3])
  assert.deepEqual(
    page.links.map(({ rel, href }: Link) => [rel, href]),
    [
      ['self', `${href}?limit=3`],
      ['next', `${href}?limit=3&offset=3`],
    ],
  )
  const filtered = (await get('?limit=1&parish=st.%20helier')).json()
  assert.deepEqual([filtered.numberMatched, filtered.numberReturned], [2, 1])
  assert.equal(withRel(filtered.links, 'next')[0]?.href, `${href}?parish=st.+helier&limit=1&offset=1`)
  const last = (await get('?limit=3&offset=3')).json()
  assert.deepEqual([last.numberMatched, last.numberReturned], [4, 1])
  assert.deepEqual(
    last.links.map(({ rel, href }: Link) => [rel, href]),
    [
      ['self', `${href}?limit=3&offset=3`],
      ['prev', `${href}?limit=3`],
    ],
  )
  const past = (await get('?offset=9')).json()
  assert.deepEqual([past.numberMatched, past.numberReturned, past.features], [4, 0, []])
  assert.deepEqual(await ids('?limit=1&offset=1'), [2])
})

test('limit is 10 by default, and the maximum stands for any larger number', async t => {
  const { get, errorOf } = await serveWells(t, { PAGE_LIMIT_MAX: '2' })
  assert.equal((await get('')).json().numberReturned, 2)
  assert.equal((await get('?limit=999999999')).json().numberReturned, 2)
  assert.equal((await get('?limit=999999999')).json().links[0].href, `${BASE}/collections/wells/items`)
  for (const limit of ['0', '-1', 'ten', '1.5'])
    assert.equal((await errorOf(`?limit=${limit}`)).parameter, 'limit')
  assert.equal((await errorOf('?limit=0')).allowed, 'a whole number from 1 to 2')
  const { app } = await serveWells(t, { PAGE_LIMIT_MAX: '10000' })
  const { paths } = (await app.inject('/ogc/api')).json()
  const parameters: { name: string; schema: object }[] = paths['/ogc/collections/wells/items'].get.parameters
  assert.deepEqual(parameters.find(({ name }) => name === 'limit')?.schema, {
    type: 'integer',
    minimum: 1,
    maximum: 10_000,
    default: 10,
  })
})

test('bbox selects positions in the box and features without one, also across the 180th meridian', async t => {
  const { ids } = await serveWells(t)
  assert.deepEqual(await ids('?bbox=-2.15,49.15,-2.05,49.25'), [2, 3])
  assert.deepEqual(await ids('?bbox=-2.1,49.2,-2.1,49.2'), [2, 3])
  assert.deepEqual(await ids('?bbox=-2.15,49.15,0,-2.05,49.25,100'), [2, 3])
  assert.deepEqual(await ids('?bbox=170,49,-2.05,50'), [1, 2, 3])
  assert.deepEqual(await ids('?bbox=170,49,-170,50'), [3])
  assert.deepEqual(await ids('?bbox=-180.0,-90,1.8e2,90'), [1, 2, 3, 4])
  assert.deepEqual(await ids('?bbox=-2.15000000000000013,49.15,-2.0999999999,49.25'), [2, 3])
})

test('fields filter as their declarations say, together with the box', async t => {
  const { ids } = await serveWells(t)
  assert.deepEqual(await ids('?parish=St.%20Helier'), [1, 3])
  assert.deepEqual(await ids('?name=ete'), [1])
  assert.deepEqual(await ids('?minDepth=5&maxDepth=40&bbox=-2.15,49,-2.05,50'), [2])
})

test('datetime is checked, and matches all: the features have no time', async t => {
  const { ids, errorOf } = await serveWells(t)
  const times = [
    '2024-07-01T12:00:00Z',
    '2024-07-01T12:00:00Z/..',
    '/2024-07-01T12:00:00%2B01:00',
    '2024-07-01/2024-07-02',
  ]
  for (const time of times) assert.deepEqual(await ids(`?datetime=${time}`), [1, 2, 3, 4], time)
  for (const time of ['yesterday', '../..', '/', '2024-02-30', '2024-07-01/2024-07-02/2024-07-03'])
    assert.equal((await errorOf(`?datetime=${time}`)).parameter, 'datetime', time)
  assert.equal((await errorOf('?datetime=2024-07-02/2024-07-01')).detail, 'ends before it begins')
})

test('a wrong box gets an error that says what is wrong and what is allowed', async t => {
  const { errorOf } = await serveWells(t)
  const allowed =
    'west,south,east,north in degrees, from -180 to 180 and from -90 to 90, such as -2.12,49.17,-2.09,49.2'
  const details = {
    '1,2,3': 'must have four or six numbers',
    '1,2,3,4,5': 'must have four or six numbers',
    '-2.3,49.1,x,49.3': 'has "x", which is not a number',
    '-2.3,49.1,NaN,49.3': 'has "NaN", which is not a number',
    '-2.3,49.1,,49.3': 'has "", which is not a number',
    '-181,49.1,-2,49.3': 'has a longitude beyond -180 to 180',
    '-2.3,49.1,1e99,49.3': 'has a longitude beyond -180 to 180',
    '-2.3,-91,-2,49.3': 'has a latitude beyond -90 to 90',
    '-2.3,49.3,-2,49.1': 'has south 49.3 above north 49.1',
  }
  for (const [bbox, detail] of Object.entries(details))
    assert.deepEqual(await errorOf(`?bbox=${bbox}`), {
      code: 'INVALID_PARAMETER',
      parameter: 'bbox',
      value: bbox,
      detail,
      allowed,
    })
})

test('unknown parameters, formats, collections and features are errors everywhere', async t => {
  const { app, errorOf } = await serveWells(t)
  const unknown = await errorOf('?parsh=Trinity')
  assert.deepEqual(
    [unknown.code, unknown.parameter, unknown.nearest],
    ['UNKNOWN_PARAMETER', 'parsh', 'parish'],
  )
  const documents = [
    '',
    '/conformance',
    '/api',
    '/collections',
    '/collections/wells',
    '/collections/wells/items/1',
  ]
  for (const path of documents) {
    const refused = await app.inject(`/ogc${path}?sort=name`)
    assert.deepEqual([refused.statusCode, refused.json().code], [400, 'UNKNOWN_PARAMETER'], path)
    assert.equal((await app.inject(`/ogc${path}?f=json`)).statusCode, 200, path)
    assert.equal((await app.inject(`/ogc${path}?f=html`)).json().code, 'INVALID_PARAMETER', path)
  }
  for (const path of ['/collections/well', '/collections/wells/items/99', '/collections/vehicles/items'])
    assert.equal((await app.inject(`/ogc${path}`)).json().code, 'NOT_FOUND', path)
})

test('f=json and f=geojson are what is sent without, and f=html leads to the page with the same places', async t => {
  const { app } = await build(t, ISLAND)
  const items = '/ogc/collections/toilets/items'
  for (const url of [items, `${items}/${TOILETS[0]?.id}`]) {
    const { headers, body } = await app.inject(url)
    for (const f of ['json', 'geojson']) {
      const same = await app.inject(`${url}?f=${f}`)
      assert.deepEqual([same.headers.etag, same.body], [headers.etag, body], `${url}?f=${f}`)
    }
  }
  const page = async (query: string) => {
    const { statusCode, headers, body } = await app.inject(`${items}?f=html&${query}`)
    assert.deepEqual([statusCode, body], [303, ''], query)
    return String(headers.location)
  }
  const location = await page('parish=St.%20Helier&limit=1&offset=1')
  assert.equal(location, 'http://data.example/map?dataset=toilets&parish=St.+Helier')
  const { statusCode, body, headers } = await app.inject(location.replace('http://data.example', ''))
  assert.deepEqual([statusCode, headers['content-type']], [200, 'text/html; charset=utf-8'])
  assert.match(body, />Pier</)
  assert.doesNotMatch(body, />Dunes</)
  assert.equal(await page('parish='), 'http://data.example/map?dataset=toilets')
  assert.equal((await app.inject(`${items}?f=html&parish=Atlantis`)).statusCode, 400)
  assert.match((await app.inject(`${items}?f=gml`)).json().errors[0].detail, /json, geojson, html/)
})

test('features are GeoJSON, for requests for JSON too, and not modified while the release is the same', async t => {
  const { app } = await serveWells(t)
  for (const url of ['/ogc/collections/wells/items', '/ogc/collections/wells/items/2']) {
    for (const accept of ['application/geo+json', 'application/json', 'text/html, */*;q=0.1']) {
      const { statusCode, headers } = await app.inject({ url, headers: { accept } })
      assert.deepEqual([statusCode, headers['content-type']], [200, 'application/geo+json'], accept)
    }
    assert.equal((await app.inject({ url, headers: { accept: 'image/png' } })).json().code, 'NOT_ACCEPTABLE')
    const { headers } = await app.inject(url)
    const again = await app.inject({ url, headers: { 'if-none-match': String(headers.etag) } })
    assert.equal(again.statusCode, 304)
  }
  const versioned = { accept: 'application/vnd.oai.openapi+json;version=3.0' }
  assert.equal((await app.inject({ url: '/ogc/api', headers: versioned })).statusCode, 200)
})

test('a dataset that is not available is no collection for now', async t => {
  const { app } = await build(
    t,
    { defibrillators: DEFIBRILLATORS, toilets: TOILETS },
    { environment: { UNAVAILABLE_DATASETS: 'toilets' } },
  )
  const { collections } = (await app.inject('/ogc/collections')).json()
  assert.deepEqual(
    collections.map(({ id }: { id: string }) => id),
    ['defibrillators'],
  )
  for (const path of ['toilets', 'toilets/items', 'recycling', 'recycling/items/1'])
    assert.equal((await app.inject(`/ogc/collections/${path}`)).statusCode, 503, path)
})
