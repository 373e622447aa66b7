import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { FORMATS } from '../../src/formats/formats.ts'
import { ISLAND, TOILETS } from '../support/island.ts'
import { openPage, textOf } from '../support/pages.ts'
import { build, publish } from '../support/service.ts'
import { until } from '../support/until.ts'

const METADATA = {
  title: 'Data of Nowhere',
  ...{ publisher: 'Office of <b>Maps</b>', licence: 'OGL', licenceUrl: 'https://example.org/licence' },
}

const structuredOf = (body: string) =>
  JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(body)?.[1] ?? 'null')

test('the catalogue has every dataset with whose it is, how fresh, how large and what is wrong', async t => {
  const { app } = await build(t, ISLAND, { metadata: METADATA })
  const { statusCode, body } = await app.inject('/data')
  assert.equal(statusCode, 200)
  const text = textOf(body)
  for (const { name, title, records } of (await app.inject('/v1/datasets')).json().results) {
    assert.ok(body.includes(`<a href="/data/${name}">${title}</a>`), name)
    assert.match(text, new RegExp(`Size ${records} records?`))
    for (const warning of (await app.inject(`/v1/datasets/${name}`)).json().warnings) {
      const { kind, detail } = warning
      const said = kind === 'unknown-value' ? detail : `${warning.records} of ${records} records have `
      assert.ok(text.includes(said), said)
    }
  }
  assert.match(text, /1 of 7 records have no date of registration on the island\./)
  assert.doesNotMatch(text, /firstRegisteredInJerseyAt/)
  assert.match(text, /Updated just now \(today at \d\d:\d\d\)/)
  assert.match(text, /Publisher Office of <b>Maps<\/b>/)
  assert.match(body, /<a href="https:\/\/example\.org\/licence">OGL<\/a>/)
  assert.equal(structuredOf(body)['@type'], 'DataCatalog')
})

test('the page of a dataset has its fields, files with hashes, releases and addresses', async t => {
  const { app, store, snapshots } = await build(t, ISLAND)
  await publish(store, 'toilets', TOILETS.slice(1))
  await until(() => snapshots.get('toilets')?.release.number === 2, 'the second release')
  for (const { path: url } of (await app.inject('/v1/datasets/toilets/files')).json().files)
    await app.inject({ url, method: 'HEAD' })
  const { statusCode, body } = await app.inject('/data/toilets')
  assert.equal(statusCode, 200)
  const text = textOf(body)
  const described = (await app.inject('/v1/datasets/toilets')).json()
  for (const { name, description } of described.fields) {
    assert.ok(body.includes(`<code class="api-name">${name}</code>`), name)
    assert.ok(text.includes(description), description)
  }
  const files = [...body.matchAll(/href="([^"]+)" download.*?<code>([0-9a-f]{64})<\/code>/gs)]
  assert.equal(files.length, FORMATS.length)
  for (const [, href = '', hash] of files) {
    const { rawPayload } = await app.inject(href)
    assert.equal(createHash('sha256').update(rawPayload).digest('hex'), hash, href)
  }
  const released = text.slice(text.indexOf('Releases Release'))
  assert.match(released, / 2 current today at \d\d:\d\d 1 0 added, 0 changed, 1 removed/)
  assert.match(body, /href="\/v1\/toilets\/changes\?since=1"/)
  const addresses = [...body.matchAll(/href="(\/v1\/[^"]+)"/g)].map(([, href = '']) => href)
  assert.ok(addresses.length > 8)
  for (const address of addresses) assert.equal((await app.inject(address)).statusCode, 200, address)
  assert.deepEqual([structuredOf(body)['@type'], structuredOf(body).identifier], ['Dataset', 'toilets'])
})

test('the page of recalls leads to their feed, and every dataset has a page', async t => {
  const { app } = await build(t, ISLAND)
  assert.match((await app.inject('/data/product-recalls')).body, /href="\/v1\/product-recalls\/feed\.atom"/)
  for (const name of Object.keys(ISLAND)) {
    const { statusCode, body } = await app.inject(`/data/${name}`)
    assert.equal(statusCode, 200, name)
    assert.doesNotMatch(body, / style="/)
  }
})

test('a dataset that there is not is 404 and leads to the nearest; one without a release says so', async t => {
  const { app } = await build(t, { toilets: TOILETS })
  const unknown = await openPage(app, '/data/toilet')
  assert.equal(unknown.statusCode, 404)
  assert.match(unknown.body, /Did you mean <a href="\/data\/toilets">/)
  const empty = await app.inject('/data/recycling')
  assert.equal(empty.statusCode, 200)
  assert.match(textOf(empty.body), /Availability Not available at the moment/)
  assert.match(textOf((await app.inject('/data')).body), /Availability Not available at the moment/)
})
