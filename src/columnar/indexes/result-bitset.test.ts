import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { newResultBitset } from './result-bitset.ts'

const ROWS = 20_000

test('rows added in any order are listed in theirs, from any one on, and forgotten', () => {
  const result = newResultBitset(ROWS)
  const cases = fc.record({
    found: fc.uniqueArray(fc.oneof(fc.nat(ROWS - 1), fc.integer({ min: 4000, max: 4200 })), {
      maxLength: 200,
    }),
    offset: fc.nat(250),
    limit: fc.nat(250),
    byBits: fc.boolean(),
  })
  fc.assert(
    fc.property(cases, ({ found, offset, limit, byBits }) => {
      if (byBits) {
        for (const row of found) result.bits[row >>> 5] = (result.bits[row >>> 5] ?? 0) | (1 << (row & 31))
        result.count(0, result.bits.length)
      } else result.add({ rows: Uint32Array.from(found), count: found.length })
      const expected = found.sort((one, other) => one - other).slice(offset, offset + limit)
      const rows = new Uint32Array(expected.length)
      if (rows.length > 0) result.list(offset, rows)
      assert.equal(result.total, found.length)
      assert.deepEqual([...rows], expected)
      result.clear()
      assert.equal(result.total, 0)
      assert.ok(result.bits.every(word => word === 0))
    }),
    { numRuns: 500 },
  )
})
