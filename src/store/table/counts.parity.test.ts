import assert from 'node:assert/strict'
import { test } from 'node:test'
import { manyVehicles } from '../../../test/support/many-vehicles.ts'
import { ENGINES } from '../../../test/support/store-engines.ts'
import { publishAll, VEHICLES } from '../../../test/support/stored-vehicles.ts'
import { counted, model } from '../../../test/support/table-cases.ts'
import type { CountQuery } from '../../query/query.ts'
import type { MaybePromise } from '../../values/promises.ts'
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

/**
 * How often a query may be asked until it leaves this process more than two turns. SQLite counts in this process, in steps;
 * while a server counts, a busy kernel may give this process no time, though hardly ten times in a row.
 */
const attemptsOf = (engine: string) => (engine === 'sqlite' ? 1 : 10)

/** The result of some work, and the turns that the event loop had meanwhile. */
async function withTurns<T>(work: () => MaybePromise<T>): Promise<{ value: T; turns: number }> {
  let turns = 0
  const nextTurn = () => {
    turns++
    ticking = setImmediate(nextTurn)
  }
  let ticking = setImmediate(nextTurn)
  const value = await work()
  clearImmediate(ticking)
  return { value, turns }
}

for (const engine of ENGINES)
  test(`${engine.name}: many rows are counted by several fields, and other work goes on meanwhile`, async t => {
    const store = await openStore(await engine.emptyStore(t))
    t.after(() => store.close())
    const release = await publishAll(store, 'vehicles', VEHICLES, RECORDS)
    const opened = await store.releases.open(release, VEHICLES)
    const table = opened.table ?? assert.fail('a release of vehicles has a table')
    for (const query of QUERIES) {
      let turns = 0
      for (let attempt = 0; attempt < attemptsOf(engine.name) && turns <= 2; attempt++) {
        const groups = await withTurns(() => counted(table, query))
        assert.deepEqual(groups.value, model(RECORDS).count(query), JSON.stringify(query))
        assert.ok(groups.value.length > 10)
        turns = groups.turns
      }
      assert.ok(turns > 2, `${turns} turns`)
    }
  })
