import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { DATASETS } from '../../src/datasets/index.ts'
import type { Metadata } from '../../src/datasets/metadata.ts'
import { importDataset } from '../../src/releases/import/import.ts'
import { ISLAND, OBSERVATION, TOILETS } from '../support/island.ts'
import { build, publish } from '../support/service.ts'
import { until } from '../support/until.ts'

const MARKUP = '<img src=x onerror=alert(1)> [a](javascript:b) &amp; "c"'
const ESCAPED = '&lt;img src=x onerror=alert(1)> [a](javascript:b) &amp;amp; &quot;c&quot;'

const METADATA: Metadata = {
  title: `Island data ${MARKUP}`,
  description: `All of it ${MARKUP}`,
  publisher: 'The island',
  licence: 'Licence 1',
  licenceUrl: 'https://island.example/1?a="b"&c',
  contact: { name: `Desk ${MARKUP}`, email: 'data@island.example', url: 'https://island.example/desk' },
  datasets: {
    toilets: {
      publisher: `Parish ${MARKUP}`,
      attribution: `From the parish ${MARKUP}`,
      sourceUrl: 'https://parish.example/toilets',
    },
  },
}

const PAGES = ['/', '/parking', '/problems/not-found']

interface OpenApi {
  readonly info: Readonly<Record<string, unknown>>
  readonly tags: readonly { name: string; description: string; externalDocs?: unknown }[]
}

test('what the operator states is in the catalogue, in OpenAPI and on every page', async t => {
  const { app } = await build(t, ISLAND, { observation: OBSERVATION, metadata: METADATA })

  await t.test('in the catalogue, word by word', async () => {
    const catalogue = (await app.inject('/v1/datasets')).json()
    const { title, description, contact } = METADATA
    assert.deepEqual(
      [catalogue.title, catalogue.description, catalogue.contact],
      [title, description, contact],
    )
    const of = (name: string) => catalogue.results.find((entry: { name: string }) => entry.name === name)
    assert.deepEqual([of('vehicles').publisher, of('vehicles').licence], ['The island', 'Licence 1'])
    assert.deepEqual(
      [of('toilets').publisher, of('toilets').licenceUrl, of('toilets').contact],
      [METADATA.datasets?.toilets?.publisher, METADATA.licenceUrl, contact],
    )
  })

  await t.test('in OpenAPI, where markup in it is none', async () => {
    const { info, tags } = (await app.inject('/openapi.json')).json() as OpenApi
    assert.deepEqual([info.title, info.contact], [METADATA.title, METADATA.contact])
    assert.deepEqual(info.license, { name: 'Licence 1', url: METADATA.licenceUrl })
    const toilets = tags.find(({ name }) => name === 'toilets')
    assert.deepEqual(toilets?.externalDocs, {
      description: 'The publisher’s page',
      url: 'https://parish.example/toilets',
    })
    for (const text of [String(info.description), String(toilets?.description)]) {
      assert.ok(text.includes('\\<img src=x onerror=alert(1)\\> \\[a\\](javascript:b) \\&amp; "c"'), text)
      assert.doesNotMatch(text, /(?<!\\)<img/)
    }
  })

  await t.test('on every page, escaped', async () => {
    for (const path of [...PAGES, '/docs']) {
      const { body } = await app.inject(path)
      assert.match(body, /<title>[^<]*Island data &lt;img/, path)
      assert.doesNotMatch(body, /<img/, path)
    }
    for (const path of PAGES) {
      const { body } = await app.inject(path)
      assert.ok(body.includes(`<a class="site-title" href="/">Island data ${ESCAPED}</a>`), path)
      assert.ok(body.includes('<a href="mailto:data@island.example">data@island.example</a>'), path)
      assert.ok(body.includes(`<p>Contact: Desk ${ESCAPED} `), path)
    }
    const front = (await app.inject('/')).body
    assert.ok(front.includes(`<p>All of it ${ESCAPED}</p>`))
    assert.ok(front.includes(`<a href="https://parish.example/toilets">Parish ${ESCAPED}</a>`))
    assert.ok(front.includes(`From the parish ${ESCAPED}`))
    const licence = '<a href="https://island.example/1?a=&quot;b&quot;&amp;c">Licence 1</a>'
    assert.ok(front.includes(licence))
    assert.ok((await app.inject('/parking')).body.includes(`The island · ${licence}`))
  })
})

test('every response made from a dataset links its licence, its source and its description', async t => {
  const { app } = await build(t, ISLAND, { observation: OBSERVATION, metadata: METADATA })
  const linksOf = async (url: string, headers = {}) => (await app.inject({ url, headers })).headers.link
  const licence = '<https://island.example/1?a=%22b%22&c>; rel="license"'
  const toilets = `${licence}, <https://parish.example/toilets>; rel="via", </v1/datasets/toilets>; rel="describedby"`
  const { headers } = await app.inject('/v1/toilets')
  assert.equal(headers.link, toilets)
  assert.equal(await linksOf('/v1/toilets', { 'if-none-match': headers.etag }), toilets, 'a 304 too')
  const carparks = `${licence}, </v1/datasets/carparks>; rel="describedby"`
  for (const path of ['', '/HARBST', '/live-spaces', '/HARBST/live', '/live-spaces/history'])
    assert.equal(await linksOf(`/v1/carparks${path}`), carparks, path)
  assert.equal(
    await linksOf('/v1/vehicles?limit=1000'),
    `</v1/vehicles?page=1&limit=1000>; rel="first", </v1/vehicles?page=1&limit=1000>; rel="last", ${licence}, </v1/datasets/vehicles>; rel="describedby"`,
    'after the links to pages',
  )
  for (const path of ['/v1/datasets', '/', '/v1/toilets?a=%'])
    assert.equal(await linksOf(path), undefined, path)
})

test('no response of a dataset has a member more', async t => {
  const silent = await build(t, ISLAND, { observation: OBSERVATION })
  const stated = await build(t, ISLAND, { observation: OBSERVATION, metadata: METADATA })
  for (const url of ['/v1/vehicles', '/v1/recycling', '/v1/carparks/live-spaces', '/v1/nothing'])
    assert.equal(shape(await stated.app.inject(url)), shape(await silent.app.inject(url)), url)
})

/** A body without the times at which the tests published. */
const shape = ({ body }: { body: string }) => body.replace(/"createdAt":"[^"]*"/g, '')

test('by default nobody is named', async t => {
  const { app } = await build(t, ISLAND, { observation: OBSERVATION })
  const { results, ...catalogue } = (await app.inject('/v1/datasets')).json()
  assert.deepEqual(catalogue, { title: 'Public Data Service', description: null, contact: null })
  for (const { publisher, licence, licenceUrl, sourceUrl, attribution, contact } of results)
    assert.deepEqual(
      new Set([publisher, licence, licenceUrl, sourceUrl, attribution, contact]),
      new Set([null]),
    )
  const { info, tags } = (await app.inject('/openapi.json')).json() as OpenApi
  assert.deepEqual([info.title, info.contact, info.license], ['Public Data Service', undefined, undefined])
  for (const { description } of tags)
    assert.match(description, /Publisher: not stated\. Licence: not stated\.$/)
  assert.match((await app.inject('/')).body, /publisher not stated · licence not stated/)
  for (const path of PAGES) assert.doesNotMatch((await app.inject(path)).body, /government|Contact:/i, path)
})

test('synthetic data is nobody’s, and a release of real data beside it is the publisher’s', async t => {
  const { app, store, snapshots } = await build(t, {}, { metadata: METADATA })
  const served = (number: number) =>
    until(() => snapshots.get('toilets')?.release.number === number, `release ${number}`)
  const publishers = async () => {
    const { results } = (await app.inject('/v1/datasets')).json()
    const { tags } = (await app.inject('/openapi.json')).json() as OpenApi
    const of = (entries: readonly { name: string }[]) => entries.find(({ name }) => name === 'toilets')
    return `${JSON.stringify(of(results))} ${JSON.stringify(of(tags))}`
  }
  assert.equal((await publishers()).match(/Parish/g)?.length, 2)
  const dataset = DATASETS.find(({ name }) => name === 'toilets') ?? assert.fail()
  const input = Readable.from([Buffer.from(JSON.stringify(TOILETS))])
  await importDataset({ store, dataset, source: 'made up', input, synthetic: true })
  await served(1)
  const invented = await publishers()
  assert.doesNotMatch(invented, /Parish|parish/)
  assert.equal(invented.match(/Nobody: this data is invented/g)?.length, 2)
  await publish(store, 'toilets', TOILETS)
  await served(2)
  assert.doesNotMatch(await publishers(), /Nobody/)
})
