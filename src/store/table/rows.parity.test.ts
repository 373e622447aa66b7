import assert from 'node:assert/strict'
import { test } from 'node:test'
import { manyVehicles } from '../../../test/support/many-vehicles.ts'
import { ENGINES } from '../../../test/support/store-engines.ts'
import { publishAll, VEHICLES } from '../../../test/support/stored-vehicles.ts'
import { model } from '../../../test/support/table-cases.ts'
import type { Query } from '../../query/query.ts'
import { openStore } from '../open-store.ts'

const RECORDS = manyVehicles(24_000)
const QUERIES: readonly Query[] = [
  {},
  { offset: 777, limit: 11_000 },
  { filters: [{ field: 'firstRegisteredInJerseyAt', from: '1970-01-01' }], limit: 20_000 },
  { filters: [{ field: 'color', contains: 'e' }], offset: 5 },
  { filters: [{ field: 'cylinderCapacity', from: 1000 }], fields: ['hash', 'make'] },
  {
    sort: [
      { field: 'model', direction: 'descending' },
      { field: 'cylinderCapacity', direction: 'ascending' },
    ],
    offset: 100,
  },
]

for (const engine of ENGINES)
  test(`${engine.name}: a result that is too large for memory is streamed in batches, in order`, async t => {
    const store = await openStore(await engine.emptyStore(t))
    t.after(() => store.close())
    const release = await publishAll(store, 'vehicles', VEHICLES, RECORDS)
    const { table } = await store.releases.open(release, VEHICLES)
    assert.ok(table)
    for (const query of QUERIES) {
      const expected = model(RECORDS).execute(query)
      const result = await table.execute(query)
      assert.equal(result.total, expected.total)
      assert.throws(() => result.json(), RangeError, JSON.stringify(query))
      const texts: string[] = []
      for await (const batch of result.batches()) {
        assert.ok(batch.length > 0 && batch.length <= 1000)
        assert.equal(batch.records().length, batch.length)
        texts.push(batch.json().toString())
      }
      assert.equal(texts.join(','), expected.json, JSON.stringify(query))
    }
  })

for (const engine of ENGINES)
  test(`${engine.name}: other work goes on between two batches, and a reader may stop early`, async t => {
    const store = await openStore(await engine.emptyStore(t))
    t.after(() => store.close())
    const release = await publishAll(store, 'vehicles', VEHICLES, RECORDS)
    const { table, close } = await store.releases.open(release, VEHICLES)
    assert.ok(table)
    let turns = 0
    const ticking = setInterval(() => turns++, 0)
    t.after(() => clearInterval(ticking))
    let batches = 0
    for await (const { length } of (await table.execute({})).batches()) if (length > 0) batches++
    assert.ok(batches >= 24)
    assert.ok(turns > 5, `${turns} turns of a timer in ${batches} batches`)
    for await (const { length } of (await table.execute({})).batches()) if (length > 0) break
    await close()
  })
