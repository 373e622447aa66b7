import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Query } from '../../src/query/query.ts'
import { measureStream, readToEnd, thisSweptProcess } from '../support/stream-cost.ts'
import { tableOfVehicles } from '../support/vehicle-columns.ts'

/*
 * A million vehicles are streamed out of a columnar table: memory stays flat, and other work of the process goes on.
 */

const ROWS = 1_000_000

test('a million vehicles are streamed in constant memory while other work goes on', {
  timeout: 300_000,
}, async t => {
  const table = await tableOfVehicles(ROWS, 2 ** 30)
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
  // Code is compiled, and V8's young generation has its size, in any process that serves. A whole stream would hide in the
  // memory that it has left how much the next one takes.
  for (let part = 0; part < 10; part++) await readToEnd(table, { limit: 100_000 }, 'json')
  for (const [name, query] of queries)
    for (const form of ['json', 'records'] as const)
      await measureStream(t, `${name} as ${form}`, () => readToEnd(table, query, form), thisSweptProcess)
})
