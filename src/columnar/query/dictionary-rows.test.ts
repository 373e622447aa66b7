import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { letterColumn, letters, someLetters } from '../../../test/support/letter-column.ts'
import { countBefore, listRows } from './dictionary-rows.ts'

const cases = fc.record({
  values: fc.integer({ min: 1, max: 600 }).chain(letters),
  selected: someLetters,
  blockShift: fc.nat(6),
  row: fc.nat(600),
  offset: fc.nat(600),
  limit: fc.nat(60),
})

test('the rows of any values are counted before any row, and listed from any on, as by a scan', () => {
  fc.assert(
    fc.property(cases, ({ values, selected, blockShift, row, offset, limit }) => {
      const column = letterColumn(values, selected, blockShift)
      const rows = values.flatMap((value, i) => (selected.includes(value) ? [i] : []))
      assert.equal(column.rows, rows.length)
      const until = Math.min(row, values.length)
      assert.equal(countBefore(column, until), rows.filter(one => one < until).length)
      const listed = new Uint32Array(Math.max(0, Math.min(limit, rows.length - offset)))
      if (listed.length > 0) listRows(column, offset, listed)
      assert.deepEqual([...listed], rows.slice(offset, offset + limit))
    }),
    { numRuns: 1000 },
  )
})
