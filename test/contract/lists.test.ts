import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEFIBRILLATORS, ISLAND, RECALLS, RECYCLING, TOILETS } from '../support/island.ts'
import { build } from '../support/service.ts'

test('lists of places and recalls', async t => {
  const { app } = await build(t, ISLAND)
  const text = async (path: string) => (await app.inject(path)).body

  await t.test('toilets, whole, with both sides and null where there is none (spec 4.8)', async () => {
    assert.equal(await text('/v1/toilets'), JSON.stringify({ results: TOILETS }))
  })

  await t.test('recycling centres, with both spellings of metal packaging (spec 4.9)', async () => {
    assert.equal(await text('/v1/recycling'), JSON.stringify({ results: RECYCLING }))
  })

  await t.test('defibrillators (spec 4.10)', async () => {
    assert.equal(await text('/v1/defibrillators'), JSON.stringify({ results: DEFIBRILLATORS }))
  })

  await t.test('product recalls, 50 a page, in the order of the source (spec 4.1)', async () => {
    const pagination = { page: 1, limit: 50, totalPages: 1, totalItems: 3 }
    assert.equal(await text('/v1/product-recalls'), JSON.stringify({ pagination, results: RECALLS }))
  })

  await t.test('a page of recalls, and one past the end with the true totals', async () => {
    const second = JSON.parse(await text('/v1/product-recalls?page=2&limit=2'))
    assert.deepEqual(second.pagination, { page: 2, limit: 2, totalPages: 2, totalItems: 3 })
    assert.deepEqual(second.results, RECALLS.slice(2))
    const past = await app.inject('/v1/product-recalls?page=9&limit=2')
    assert.equal(past.statusCode, 200)
    assert.deepEqual(past.json(), {
      pagination: { page: 9, limit: 2, totalPages: 2, totalItems: 3 },
      results: [],
    })
  })
})

test('an empty release is served as an empty list, not an error', async t => {
  const { app } = await build(t, { toilets: [], 'product-recalls': [] })
  assert.equal((await app.inject('/v1/toilets')).body, '{"results":[]}')
  assert.deepEqual((await app.inject('/v1/product-recalls')).json(), {
    pagination: { page: 1, limit: 50, totalPages: 0, totalItems: 0 },
    results: [],
  })
})
