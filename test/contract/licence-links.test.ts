import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ISLAND, TOILETS } from '../support/island.ts'
import { build } from '../support/service.ts'
import { until } from '../support/until.ts'

const LICENCE = '<https://licence.example/>; rel="license"'

test('every response that is made from data links its licence, whichever interface serves it', async t => {
  const metadata = { title: 'Open data', licence: 'Open', licenceUrl: 'https://licence.example/' }
  const { app } = await build(t, ISLAND, { metadata })
  const get = (url: string) => app.inject(url)
  const id = TOILETS[0]?.id
  const file = '/v1/datasets/toilets/files/1.csv'
  await until(async () => (await get(file)).statusCode === 200, 'the file to be made')
  for (const path of [
    ...['/v1/toilets', '/v1/toilets.csv', `/v1/toilets/${id}`, '/v1/toilets/stats', '/v1/toilets/changes'],
    ...[file, '/v1/datasets/toilets/files', '/v1/datasets/toilets/releases', '/v1/product-recalls/feed'],
    ...['/ogc/collections/toilets/items', `/ogc/collections/toilets/items/${id}`],
  ]) {
    const { statusCode, headers } = await get(path)
    assert.equal(statusCode, 200, path)
    assert.ok(String(headers.link).includes(LICENCE), `${path}: ${headers.link}`)
  }
  const { link } = (await get('/v1/places')).headers
  for (const dataset of ['carparks', 'toilets', 'recycling', 'defibrillators'])
    assert.ok(String(link).includes(`</v1/datasets/${dataset}>; rel="describedby"`), dataset)
})
