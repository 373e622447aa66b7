import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CARPARKS, RECALLS, TOILETS } from '../support/island.ts'
import { build, publish, type Service } from '../support/service.ts'
import { until } from '../support/until.ts'

/** Publishes a release and waits until it is served. */
async function serve({ store, snapshots }: Service, name: string, records: readonly object[]) {
  const { release } = await publish(store, name, records)
  await until(() => snapshots.get(name)?.release.hash === release?.hash)
}

test('a place that has left its list is told from one that never was', async t => {
  const service = await build(t, { toilets: TOILETS, carparks: CARPARKS, 'product-recalls': RECALLS })
  const get = async (path: string) => {
    const response = await service.app.inject(path)
    return { status: response.statusCode, body: response.json() }
  }
  const [gone = assert.fail(), unlocated = assert.fail()] = TOILETS
  const near = { ...gone, id: '7d0c1a3e-2f6b-4c51-9a35-1c2f0b9d4e77', name: 'Slip', latitude: 49.181 }
  const left = [unlocated, near]
  await serve(service, 'toilets', left)
  const path = `/v1/toilets/${gone.id}`

  await t.test('it answers 410 with its name, the time and the nearest', async () => {
    const { status, body } = await get(path.toUpperCase().replace('/V1/TOILETS', '/v1/toilets'))
    assert.deepEqual([status, body.code], [410, 'RECORD_REMOVED'])
    const { name, removedAt, nearest } = body.removed
    assert.equal(name, gone.name)
    assert.equal(removedAt, (await get('/v1/datasets/toilets')).body.publishedAt)
    const expected = { id: near.id, name: near.name, path: `/v1/toilets/${near.id}`, distanceMetres: 111 }
    assert.deepEqual(nearest, [expected])
  })

  await t.test('so do its feature, and a car park by its code', async () => {
    const feature = await get(`/ogc/collections/toilets/items/${gone.id}`)
    assert.deepEqual([feature.status, feature.body.removed.name], [410, gone.name])
    const counted = CARPARKS.find(({ liveTrackingCode }) => liveTrackingCode !== null) ?? assert.fail()
    await serve(
      service,
      'carparks',
      CARPARKS.filter(each => each !== counted),
    )
    for (const name of [counted.id, counted.liveTrackingCode])
      assert.equal((await get(`/v1/carparks/${name}`)).body.removed?.name, counted.name)
  })

  await t.test('one without a code is not meant by the word null', async () => {
    await serve(
      service,
      'carparks',
      CARPARKS.filter(({ liveTrackingCode }) => liveTrackingCode !== null),
    )
    assert.equal((await get('/v1/carparks/null')).status, 404)
  })

  await t.test('one that never was answers 404', async () => {
    const { status, body } = await get('/v1/toilets/00000000-0000-4000-8000-000000000000')
    assert.deepEqual([status, body.code, body.removed], [404, 'NOT_FOUND', undefined])
  })

  await t.test('a record that has no place is only unknown', async () => {
    const [first = assert.fail(), ...others] = RECALLS
    await serve(service, 'product-recalls', others)
    assert.equal((await get(`/v1/product-recalls/${first.id}`)).status, 404)
  })

  await t.test('one that comes back is served again', async () => {
    await serve(service, 'toilets', TOILETS)
    assert.equal((await get(path)).status, 200)
  })

  await t.test('one without a position has nothing near it', async () => {
    const [first, ...others] = TOILETS
    await serve(service, 'toilets', [{ ...first, latitude: null, longitude: null }, ...others])
    await serve(service, 'toilets', others)
    assert.deepEqual((await get(path)).body.removed.nearest, [])
  })

  await t.test('no longer kept, it is unknown', async () => {
    const [, second, ...others] = TOILETS
    for (const name of ['a', 'b', 'c', 'd', 'e'])
      await serve(service, 'toilets', [{ ...second, name }, ...others])
    assert.equal((await get(path)).status, 404)
  })
})
