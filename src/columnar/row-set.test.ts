import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { allOf, BATCH, type RowSet, rangeOfRows, rowsOfBits, setBit } from './row-set.ts'

/** Several blocks of 4,096 rows, many of them empty. */
const ROWS = 40_000
const row = fc.oneof(fc.nat(ROWS - 1), fc.integer({ min: 4090, max: 4200 }))

test('rows are counted, listed from any on and passed on in their order, from bits and of a range', () => {
  const cases = fc.record({
    rows: fc.oneof(fc.uniqueArray(row, { maxLength: 300 }), fc.constant([...Array(9000).keys()])),
    ends: fc.tuple(row, row),
    offset: fc.nat(400),
    limit: fc.nat(5000),
  })
  fc.assert(
    fc.property(cases, ({ rows, ends, offset, limit }) => {
      const [first, end] = [Math.min(...ends), Math.max(...ends)]
      const bits = new Int32Array(Math.ceil(ROWS / 32))
      for (const one of rows) setBit(bits, one)
      const sorted = rows.toSorted((one, other) => one - other)
      const words = [first >>> 5, Math.ceil(end / 32)] as const
      const within = sorted.filter(one => one >= words[0] * 32 && one < words[1] * 32)
      check(rowsOfBits(bits, ...words), within)
      check(rowsOfBits(bits, ...words).own(), within)
      check(
        rangeOfRows(first, end),
        Array.from({ length: end - first }, (_, i) => first + i),
      )

      function check(set: RowSet, expected: readonly number[]): void {
        assert.equal(set.total, expected.length)
        assert.deepEqual([...allOf(set)], expected)
        const listed = new Uint32Array(Math.max(0, Math.min(limit, expected.length - offset)))
        if (listed.length > 0) set.list(offset, listed)
        assert.deepEqual([...listed], expected.slice(offset, offset + limit))
        const rowNumbers = Uint32Array.from({ length: ROWS }, (_, row) => row)
        const visited: number[] = []
        set.visit(read => visited.push(...read(rowNumbers, new Uint32Array(BATCH))))
        assert.deepEqual(visited, expected)
      }
    }),
    { numRuns: 200 },
  )
})
