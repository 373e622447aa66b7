import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DATASETS } from '../../src/datasets/index.ts'
import { DEFIBRILLATORS, ISLAND, OBSERVATION, RECALLS } from '../support/island.ts'
import { build } from '../support/service.ts'
import { vehicles } from '../support/stored-vehicles.ts'

/*
 * The programs that copy datasets whole, written for the service as it first was, ask each list for a million entries at once,
 * also those that have no pages. With the settings that a service comes with they get every record, and true totals.
 */

const LIMIT = 1_000_000
/** More than a page that is held in memory. */
const MANY = 2345

const CONTENT = {
  ...ISLAND,
  vehicles: vehicles(MANY),
  'product-recalls': Array.from({ length: MANY }, (_, id) => ({ ...RECALLS[0], id })),
  defibrillators: Array.from({ length: MANY }, (_, index) => ({
    ...DEFIBRILLATORS[0],
    id: `2f1e0d9c-8b7a-4695-8473-${String(index).padStart(12, '0')}`,
  })),
}

type Row = Readonly<Record<string, unknown>>

test('a request for a million entries of any dataset is answered in full, with true totals', async t => {
  const { app } = await build(t, CONTENT)
  const json = async (url: string) => {
    const { statusCode, headers, body } = await app.inject(url)
    assert.equal(statusCode, 200, url)
    return { headers, body: JSON.parse(body) }
  }
  for (const { name, path, list } of DATASETS)
    await t.test(name, async () => {
      const published = CONTENT[name as keyof typeof CONTENT]
      const count = typeof published === 'string' ? assert.fail() : published.length
      const { body, headers } = await json(`${path}?limit=${LIMIT}`)
      assert.equal(body.results.length, count)
      assert.equal(headers['ignored-parameters'], undefined)
      const identity = (row: Row) => String(row.hash ?? row.id)
      assert.equal(new Set(body.results.map(identity)).size, count)
      const isPaged = list.pageLength !== undefined
      assert.deepEqual(Object.keys(body), isPaged ? ['pagination', 'results'] : ['results'])
      if (!isPaged) return assert.deepEqual(body, (await json(path)).body)
      const pagination = { page: 1, limit: LIMIT, totalPages: 1, totalItems: count }
      assert.deepEqual(body.pagination, pagination)
      const pages: Row[] = []
      for (let page = 1; page <= Math.ceil(count / 1000); page++)
        pages.push(...(await json(`${path}?limit=1000&page=${page}`)).body.results)
      assert.deepEqual(body.results, pages)
      const next = (await json(`${path}?limit=${LIMIT}&page=2`)).body
      assert.deepEqual(next, { pagination: { ...pagination, page: 2 }, results: [] })
    })
})

test('counts and live spaces have every entry without a limit, and one that they are sent changes nothing', async t => {
  const { app } = await build(t, CONTENT, { observation: OBSERVATION })
  for (const [path, entries] of [
    ['/v1/vehicles/makes', 5],
    ['/v1/vehicles/stats/colors', 3],
    ['/v1/carparks/live-spaces', OBSERVATION.entries.length],
  ] as const) {
    const plain = await app.inject(path)
    assert.equal(Object.keys(plain.json().results).length, entries)
    const limited = await app.inject(`${path}?limit=${LIMIT}`)
    assert.equal(limited.body, plain.body)
    assert.equal(limited.headers['ignored-parameters'], 'limit')
  }
})
