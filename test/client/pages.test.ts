import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createClient, ProblemError } from '../../client/src/index.ts'
import { ISLAND, RECALLS, TOILETS, VEHICLES } from '../support/island.ts'
import { listen } from '../support/raw-http.ts'
import { build, publish } from '../support/service.ts'
import { until } from '../support/until.ts'

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const read: T[] = []
  for await (const item of items) read.push(item)
  return read
}

test('the client against a service', async t => {
  const { app, store, snapshots } = await build(t, ISLAND)
  const client = createClient({ baseUrl: `http://127.0.0.1:${await listen(app)}/` })

  await t.test('asks with parameters in path and query, lists among them', async () => {
    const query = { near: [49.18, -2.1], fields: ['name' as const], radius: 5 }
    const { data, response } = await client.GET('/v1/toilets', { params: { query } })
    assert.deepEqual(data.results, [{ name: 'Pier', distanceMetres: 0 }])
    assert.match(response.headers.get('etag') ?? '', /^"/)
    const id = TOILETS[1]?.id ?? ''
    const one = await client.GET('/v1/toilets/{id}', { params: { path: { id } } })
    assert.equal(one.data.name, 'Dunes')
  })

  await t.test('throws what a problem says', async () => {
    const wrong = client.GET('/v1/vehicles', { params: { query: { startDate: '2023-02-30' } } })
    await assert.rejects(wrong, (error: unknown) => {
      assert.ok(error instanceof ProblemError)
      assert.deepEqual([error.status, error.code], [400, 'INVALID_PARAMETER'])
      assert.equal(error.message, `Invalid parameter: ${error.detail}`)
      assert.match(error.hint ?? '', /errors/)
      const [{ parameter, value } = assert.fail()] = error.errors
      assert.deepEqual([parameter, value], ['startDate', '2023-02-30'])
      return true
    })
  })

  await t.test('has types that refuse what the service would, too', async () => {
    // @ts-expect-error There is no such path.
    await assert.rejects(client.GET('/v1/nothing'), { code: 'NOT_FOUND' })
    // @ts-expect-error The path needs its parameter.
    await assert.rejects(client.GET('/v1/toilets/{id}'), { code: 'NOT_FOUND' })
    // @ts-expect-error The list is whole.
    await assert.rejects(all(client.pages('/v1/toilets')), TypeError)
    // @ts-expect-error There is no such parameter.
    const { response } = await client.GET('/v1/vehicles', { params: { query: { maek: 'ford' } } })
    assert.equal(response.headers.get('ignored-parameters'), 'maek;nearest=make')
  })

  await t.test('reads other formats as text', async () => {
    const path = '/v1/carparks/live-spaces/history'
    const params = { query: { format: 'csv' as const, from: '2023-01-01', to: '2023-01-02' } }
    const { data } = await client.GET(path, { params, parseAs: 'text' })
    assert.match(data, /^code,/)
  })

  await t.test('reads every page of one release, whatever is published meanwhile', async () => {
    const whole = (await client.GET('/v1/vehicles')).data
    const pages = client.pages('/v1/vehicles', { limit: 2 })
    const first = (await pages.next()).value
    await publish(store, 'vehicles', VEHICLES.split('\n').slice(0, 4).join('\n'))
    await until(() => snapshots.get('vehicles')?.release.number === 2, 'the second release')
    const read = [first, ...(await all(pages))]
    assert.equal(read.length, 4)
    assert.deepEqual(
      read.flatMap(page => page?.results),
      whole.results,
    )
  })

  await t.test('reads record by record, and no page more than is wanted', async () => {
    const ids = []
    for await (const { id } of client.records('/v1/product-recalls', { limit: 1 })) {
      ids.push(id)
      if (ids.length === 2) break
    }
    assert.deepEqual(
      ids,
      RECALLS.slice(0, 2).map(({ id }) => id),
    )
    assert.deepEqual(await all(client.records('/v1/vehicles', { make: 'no such make' })), [])
  })
})
