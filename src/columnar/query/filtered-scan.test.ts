import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { letterColumn, letters, someLetters } from '../../../test/support/letter-column.ts'
import { newResultBitset } from '../indexes/result-bitset.ts'
import { intersectBitmaps } from './bitmap-and.ts'
import { visitSelected } from './filtered-scan.ts'

const ROWS = 300
const cases = fc.record({
  columns: fc.array(fc.tuple(letters(ROWS), someLetters), { minLength: 2, maxLength: 3 }),
  ends: fc.tuple(fc.nat(ROWS), fc.nat(ROWS)),
})

test('a bitmap AND and a filtered scan select the rows of a range that meet several conditions', () => {
  // Shared by all runs, as a table does.
  const result = newResultBitset(ROWS)
  fc.assert(
    fc.property(cases, ({ columns, ends }) => {
      const [first, end] = [Math.min(...ends), Math.max(...ends)]
      const dictionaries = columns.map(([values, selected]) => letterColumn(values, selected))
      const plan = {
        ...{ first, end, isWhole: end - first === ROWS, dictionaries, ordered: [] },
        ...{ bitmap: undefined, conditions: dictionaries.length },
      }
      const expected = columns[0]?.[0].flatMap((_, row) => {
        const isFound = columns.every(([values, selected]) => selected.includes(values[row] ?? ''))
        return row >= first && row < end && isFound ? [row] : []
      })
      for (const find of [() => intersectBitmaps(plan, result), () => visitSelected(plan, result.add)]) {
        find()
        const rows = new Uint32Array(result.total)
        if (rows.length > 0) result.list(0, rows)
        assert.deepEqual([...rows], expected)
        result.clear()
      }
    }),
    { numRuns: 500 },
  )
})
