import assert from 'node:assert/strict'
import { test } from 'node:test'
import { detectEntryChanges } from './mapping.ts'

const entry = (code: string, name = `Car park ${code}`, spaces = 1) => ({
  name,
  code,
  spaces,
  status: 'good',
  open: true,
})

test('entries: the first list is no change, nor are other counts, another order or other letters of a code', () => {
  const watch = detectEntryChanges()
  assert.equal(watch([entry('A'), entry('B')], []), undefined)
  assert.equal(watch([entry('b', 'Car park B', 9), entry('A', undefined, 7)], []), undefined)
})

test('entries: one that is dropped as malformed is not gone, and does not appear when it is well again', () => {
  const watch = detectEntryChanges([entry('A'), entry('B')])
  assert.equal(watch([entry('A')], ['b', 'X']), undefined)
  assert.equal(watch([entry('A'), entry('B')], []), undefined)
  assert.deepEqual(watch([entry('A')], [])?.gone, [{ code: 'B', name: 'Car park B' }])
  assert.deepEqual(watch([entry('A'), entry('X')], [])?.appeared.length, 1)
})
