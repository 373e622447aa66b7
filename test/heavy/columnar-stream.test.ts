import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { type TestContext, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { buildColumnarTable } from '../../src/columnar/build/build-table.ts'
import type { Collection } from '../../src/query/collection.ts'
import type { Query } from '../../src/query/query.ts'
import { VEHICLES } from '../support/stored-vehicles.ts'
import { columnsOfVehicles } from '../support/vehicle-columns.ts'

/*
 * A million vehicles are streamed out of a columnar table: memory stays flat, and other work of the process goes on.
 */

const ROWS = 1_000_000
const MAX_MB = 30
const TICK_MS = 2

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

const residentMb = () =>
  (Number(/\d+/.exec(/VmRSS:.*/.exec(readFileSync('/proc/self/status', 'utf8'))?.[0] ?? '')?.[0]) || 0) / 1024

async function measure(t: TestContext, name: string, stream: () => Promise<number>): Promise<void> {
  for (let i = 0; i < 3; i++) {
    collectGarbage()
    await nextTurn()
  }
  const idle = residentMb()
  let peak = idle
  const delays: number[] = []
  let due = performance.now() + TICK_MS
  const timer = setInterval(() => {
    const now = performance.now()
    delays.push(Math.max(0, now - due))
    due = now + TICK_MS
    peak = Math.max(peak, residentMb())
  }, TICK_MS)
  const start = performance.now()
  const rows = await stream()
  const ms = performance.now() - start
  clearInterval(timer)
  delays.sort((one, other) => one - other)
  const p99 = delays[Math.floor(delays.length * 0.99)] ?? Number.NaN
  t.diagnostic(
    `${name}: ${rows} rows in ${ms.toFixed(0)} ms; memory +${(peak - idle).toFixed(1)} MB; other work late by ${p99.toFixed(1)} ms (p99), ${delays.at(-1)?.toFixed(1)} ms at most`,
  )
  assert.ok(peak - idle <= MAX_MB, `${name}: ${(peak - idle).toFixed(1)} MB above idle`)
}

test('a million vehicles are streamed in constant memory while other work goes on', {
  timeout: 300_000,
}, async t => {
  const table = await buildColumnarTable(columnsOfVehicles(ROWS), VEHICLES, ROWS, { prerenderBytes: 2 ** 30 })
  assert.equal(table.isPrerendered, true)
  const queries: [string, Query][] = [
    ['all', {}],
    [
      'filtered',
      {
        filters: [
          { field: 'color', equals: 'blue' },
          { field: 'cylinderCapacity', from: 1000 },
        ],
      },
    ],
    ['sorted', { sort: [{ field: 'firstRegisteredAt', direction: 'ascending' }] }],
    ['some fields', { fields: ['make', 'firstRegisteredAt'] }],
  ]
  // Code is compiled, and V8's young generation has its size, in any process that serves.
  await read(table, { limit: 100_000 }, 'json')
  for (const [name, query] of queries)
    for (const form of ['json', 'records'] as const)
      await measure(t, `${name} as ${form}`, () => read(table, query, form))
})

/** Reads a result to its end, as a response does that its client reads at full speed. */
async function read(table: Collection, query: Query, form: 'json' | 'records'): Promise<number> {
  const result = await table.execute(query)
  let rows = 0
  for await (const batch of result.batches()) {
    assert.ok(batch[form]().length > 0)
    rows += batch.length
    await nextTurn()
  }
  return rows
}
