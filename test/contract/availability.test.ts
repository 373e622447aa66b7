import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { DATASETS } from '../../src/datasets/index.ts'
import { toilets } from '../../src/datasets/toilets/index.ts'
import { importDataset } from '../../src/releases/import/import.ts'
import { ISLAND, OBSERVATION } from '../support/island.ts'
import { build, publish } from '../support/service.ts'
import { until } from '../support/until.ts'

const NAMES = DATASETS.map(({ name }) => name)
const ADDRESSES = {
  ...Object.fromEntries(DATASETS.map(({ name, path }) => [name, [path]])),
  vehicles: ['/v1/vehicles', '/v1/vehicles/makes', '/v1/vehicles/stats/colors'],
  carparks: ['/v1/carparks', '/v1/carparks/HARBST'],
}

test('an unpublished dataset is 503 until it is published', async t => {
  const { app, store } = await build(t)
  for (const url of Object.values(ADDRESSES).flat()) {
    const response = await app.inject(url)
    assert.equal(response.statusCode, 503, url)
    assert.equal(response.json().code, 'DATASET_UNAVAILABLE')
    assert.match(String(response.headers['retry-after']), /^[1-9]\d*$/)
    assert.equal(response.headers['cache-control'], 'no-store')
  }
  await publish(store, 'toilets', ISLAND.toilets)
  await until(async () => (await app.inject('/v1/toilets')).statusCode === 200, 'toilets')
  assert.equal((await app.inject('/v1/recycling')).statusCode, 503)
})

test('a dataset in UNAVAILABLE_DATASETS is 503, the others are served', async t => {
  const environment = { UNAVAILABLE_DATASETS: 'product-recalls, vehicles' }
  const { app } = await build(t, ISLAND, { environment })
  for (const [name, addresses] of Object.entries(ADDRESSES))
    for (const url of addresses) {
      const response = await app.inject(url)
      const off = environment.UNAVAILABLE_DATASETS.includes(name)
      assert.equal(response.statusCode, off ? 503 : 200, url)
      if (off) assert.match(String(response.headers['retry-after']), /^[1-9]\d*$/)
    }
  const { results } = (await app.inject('/v1/datasets')).json()
  const available = results.filter((entry: { available: boolean }) => entry.available)
  assert.deepEqual(
    available.map(({ name }: { name: string }) => name),
    NAMES.filter(name => !environment.UNAVAILABLE_DATASETS.includes(name)),
  )
})

test('live spaces do not need the car parks dataset, but are out of service together with it', async t => {
  const live = await build(t, {}, { observation: OBSERVATION })
  assert.equal((await live.app.inject('/v1/carparks/live-spaces')).statusCode, 200)
  const environment = { UNAVAILABLE_DATASETS: 'carparks' }
  const off = await build(t, ISLAND, { observation: OBSERVATION, environment })
  assert.equal((await off.app.inject('/v1/carparks/live-spaces')).statusCode, 503)
})

test('the catalogue has the current release of each dataset, and names no publisher that is not stated', async t => {
  const { app, store } = await build(t, { toilets: ISLAND.toilets })
  const { results } = (await app.inject('/v1/datasets')).json()
  assert.deepEqual(
    results.map(({ name }: { name: string }) => name),
    NAMES,
  )
  const entry = results.find(({ name }: { name: string }) => name === 'toilets')
  const release = await store.releases.current('toilets')
  assert.deepEqual(
    [entry.available, entry.records, entry.release, entry.hash, entry.publishedAt, entry.synthetic],
    [true, 2, 1, release?.hash, release?.publishedAt, false],
  )
  for (const { publisher, licence, licenceUrl, sourceUrl } of results)
    assert.deepEqual([publisher, licence, licenceUrl, sourceUrl], [null, null, null, null])
})

test('synthetic data is marked, and real data is not', async t => {
  const { app, store } = await build(t, ISLAND, { observation: OBSERVATION, synthetic: true })
  const marks = async (url: string) => (await app.inject(url)).headers['synthetic-data']
  assert.equal(await marks('/v1/toilets'), undefined)
  const input = Readable.from([JSON.stringify(ISLAND.toilets)])
  await importDataset({ store, dataset: toilets, source: 'demo', input, synthetic: true })
  await until(async () => (await marks('/v1/toilets')) === 'true', 'the invented toilets')
  const { headers } = await app.inject('/v1/toilets')
  const again = await app.inject({ url: '/v1/toilets', headers: { 'if-none-match': headers.etag } })
  assert.equal(again.statusCode, 304)
  assert.equal(again.headers['synthetic-data'], 'true')
  assert.equal(await marks('/v1/recycling'), undefined)
  assert.equal(await marks('/v1/datasets'), 'true')
  const { results } = (await app.inject('/v1/datasets')).json()
  for (const { name, synthetic, publisher } of results) {
    assert.equal(synthetic, name === 'toilets')
    assert.equal(/invented/.test(publisher), name === 'toilets')
  }
  for (const url of ['/', '/problems/not-found', '/openapi.json'])
    assert.match((await app.inject(url)).body, /synthetic island/i, url)
})
