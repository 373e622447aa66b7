import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readFlags } from './flags.ts'

test('without words the island and a million are measured', () => {
  assert.deepEqual(readFlags([]), { rows: [131_000, 1_000_000], times: 30, plans: false, citus: false })
  assert.equal(readFlags(['--help']), undefined)
})

test('numbers are taken, and refused where they are none', () => {
  assert.deepEqual(readFlags(['--rows', '10000000', '--times', '5', '--plans', '--citus']), {
    ...{ rows: [10_000_000], times: 5, plans: true, citus: true },
  })
  assert.throws(() => readFlags(['--rows', 'many']), /--rows "many" is no positive number/)
  assert.throws(() => readFlags(['--times', '0']), /--times "0" is no positive number/)
})
