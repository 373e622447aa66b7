import assert from 'node:assert/strict'
import { test } from 'node:test'
import Type from 'typebox'
import { tableOfVehicles } from '../../test/support/vehicle-columns.ts'
import { Vehicle } from '../datasets/vehicles/schema.ts'
import { listCollection } from '../query/list-collection.ts'
import type { StoredRecord } from '../query/query.ts'
import { STEP_ROWS } from './steps.ts'

const ROWS = 80_000

test('groups take little memory, and any part of them is read as from a plain list', async () => {
  const table = await tableOfVehicles(ROWS, 0)
  const records: StoredRecord[] = []
  for await (const batch of (await table.execute({})).batches()) records.push(...batch.records())
  const list = listCollection(records, Type.Omit(Vehicle, ['weight', 'co2Emissions']))
  for (const [by, length] of [
    [['make', 'model', 'color'], ROWS],
    [['make', 'color'], 15],
    [['model'], 50_000],
  ] as const) {
    const [groups, expected] = [await table.count({ by }), await list.count({ by })]
    assert.equal(groups.length, length)
    assert.ok(groups.bytes <= 12 * length, `${groups.bytes} bytes`)
    assert.ok(expected.bytes > groups.bytes)
    for (const [from, to] of [[], [0, 10], [3, 4], [40_000, 41_000], [length - 5], [length], [5, 2 * length]])
      assert.deepEqual(groups.slice(from, to), expected.slice(from, to), `${by} from ${from} to ${to}`)
    assert.deepEqual([groups.sum(), groups.sum(10)], [expected.sum(), expected.sum(10)])
    assert.deepEqual([groups.sum(), groups.sum(length)], [ROWS, 0])
  }
})

test('counts in steps are right although other queries run in between', async () => {
  const table = await tableOfVehicles(ROWS, 0)
  const count = (from: number) =>
    table.count({
      by: ['make', 'model', 'color'],
      filters: [{ field: 'cylinderCapacity', from }],
    })
  const bounds = [950, 1000, 1050]
  const alone: number[] = []
  for (const from of bounds) alone.push((await count(from)).sum())
  assert.ok(Math.min(...alone) > STEP_ROWS && new Set(alone).size === bounds.length, `${alone}`)
  const together = await Promise.all(bounds.map(count))
  for (const [i, from] of bounds.entries())
    assert.deepEqual(together[i]?.slice(), (await count(from)).slice(), `from ${from}`)
})
