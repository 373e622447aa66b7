import assert from 'node:assert/strict'
import { test } from 'node:test'
import { manyVehicles } from '../../../test/support/many-vehicles.ts'
import { ENGINES } from '../../../test/support/store-engines.ts'
import { publishAll, VEHICLES } from '../../../test/support/stored-vehicles.ts'
import { model } from '../../../test/support/table-cases.ts'
import type { CountQuery } from '../../query/query.ts'
import { openStore } from '../open-store.ts'

const RECORDS = manyVehicles(24_000)
const QUERIES: readonly CountQuery[] = [
  { by: ['make', 'model', 'color'] },
  { by: ['color', { field: 'firstRegisteredAt', part: 'year' }] },
  { by: ['make', 'cylinderCapacity'], filters: [{ field: 'color', contains: 'e' }] },
  {
    by: ['model', 'fuelType'],
    filters: [
      { field: 'firstRegisteredAt', from: '1980-01-01', to: '1999-12-31' },
      { field: 'cylinderCapacity', from: 1000 },
    ],
  },
  {
    by: ['make', 'model'],
    filters: [{ field: 'firstRegisteredInJerseyAt', from: '1985-01-01', to: '2005-12-31' }],
  },
]

/** SQLite counts in this process, in steps; for a server this process waits, and has as many turns as the kernel lets it. */
const leastTurns = (engine: string) => (engine === 'sqlite' ? 3 : 1)

for (const engine of ENGINES)
  test(`${engine.name}: many rows are counted by several fields, and other work goes on meanwhile`, async t => {
    const store = await openStore(await engine.emptyStore(t))
    t.after(() => store.close())
    const release = await publishAll(store, 'vehicles', VEHICLES, RECORDS)
    const { table } = await store.releases.open(release, VEHICLES)
    assert.ok(table)
    for (const query of QUERIES) {
      let turns = 0
      const nextTurn = () => {
        turns++
        ticking = setImmediate(nextTurn)
      }
      let ticking = setImmediate(nextTurn)
      const groups = await table.count(query)
      clearImmediate(ticking)
      assert.deepEqual(groups, model(RECORDS).count(query), JSON.stringify(query))
      assert.ok(groups.length > 10)
      assert.ok(turns >= leastTurns(engine.name), `${turns} turns`)
    }
  })
