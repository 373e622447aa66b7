import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Query } from '../../src/query/query.ts'
import { openStore } from '../../src/store/open-store.ts'
import { TABLE_ENGINES } from '../support/store-engines.ts'
import { startStoreProcess } from '../support/store-process.ts'
import { VEHICLES } from '../support/stored-vehicles.ts'
import { measureStream, readToEnd } from '../support/stream-cost.ts'

/* The register is streamed by SQL, row by row: memory stays flat, and other work of the process goes on. */

const ROWS = 300_000
const MAX_DELAY_MS = 20

const QUERIES: [string, Query, form: 'json' | 'records', rows?: number][] = [
  ['all', {}, 'json', ROWS],
  ['all', {}, 'records', ROWS],
  ['filtered', { filters: [{ field: 'color', equals: 'blue' }] }, 'json'],
  ['sorted', { sort: [{ field: 'firstRegisteredAt', direction: 'ascending' }] }, 'records', ROWS],
  ['some fields', { fields: ['make', 'firstRegisteredAt'] }, 'json', ROWS],
]

for (const engine of TABLE_ENGINES.filter(({ tables }) => tables?.engine === 'sql'))
  test(`${engine.name}: 300,000 vehicles are streamed in constant memory while other work goes on`, {
    timeout: 600_000,
  }, async t => {
    const address = await engine.emptyStore(t)
    const publisher = startStoreProcess(t, 'publish 300,000 vehicles for SQL', address)
    assert.equal(await publisher.nextLine(), 'published')
    await publisher.kill()
    const store = await openStore(address, { tables: engine.tables })
    t.after(() => store.close())
    const release = (await store.releases.current('vehicles')) ?? assert.fail()
    const { table } = await store.releases.open(release, VEHICLES)
    assert.ok(table)
    // Code is compiled, and V8's young generation has its size, in any process that serves.
    await readToEnd(table, { limit: 100_000 }, 'json')
    for (const [name, query, form, expected] of QUERIES) {
      const { rows, delayP99Ms } = await measureStream(t, `${name} as ${form}`, () =>
        readToEnd(table, query, form),
      )
      if (expected !== undefined) assert.equal(rows, expected)
      assert.ok(rows > ROWS / 10)
      assert.ok(delayP99Ms <= MAX_DELAY_MS, `${name}: other work late by ${delayP99Ms.toFixed(1)} ms (p99)`)
    }
  })
