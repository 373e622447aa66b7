import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { letterColumn, letters, someLetters } from '../../../test/support/letter-column.ts'
import { newHits } from '../indexes/result-bitset.ts'
import { findTogether } from './bitmap-and.ts'
import { visitFound } from './filtered-scan.ts'

const ROWS = 300
const cases = fc.record({
  columns: fc.array(fc.tuple(letters(ROWS), someLetters), { minLength: 2, maxLength: 3 }),
  ends: fc.tuple(fc.nat(ROWS), fc.nat(ROWS)),
})

test('rows that meet several conditions in a stretch are found together as by going through them', () => {
  // Used again and again, as a register does.
  const hits = newHits(ROWS)
  fc.assert(
    fc.property(cases, ({ columns, ends }) => {
      const [first, end] = [Math.min(...ends), Math.max(...ends)]
      const words = columns.map(([values, selected]) => letterColumn(values, selected))
      const question = { first, end, isWhole: end - first === ROWS, words, days: [] }
      const expected = columns[0]?.[0].flatMap((_, row) => {
        const isFound = columns.every(([values, selected]) => selected.includes(values[row] ?? ''))
        return row >= first && row < end && isFound ? [row] : []
      })
      for (const find of [() => findTogether(question, hits), () => visitFound(question, hits.add)]) {
        find()
        const rows = new Uint32Array(hits.total)
        if (rows.length > 0) hits.list(0, rows)
        assert.deepEqual([...rows], expected)
        hits.clear()
      }
    }),
    { numRuns: 500 },
  )
})
