import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { firstWhere, log2Above, lowestOne, popcount } from './bits.ts'

test('ones are counted, and the lowest is found, as in the binary digits', () => {
  fc.assert(
    fc.property(fc.integer(), word => {
      const digits = (word >>> 0).toString(2)
      assert.equal(popcount(word), digits.replaceAll('0', '').length)
      if (word !== 0) assert.equal(lowestOne(word), digits.length - 1 - digits.lastIndexOf('1'))
    }),
  )
})

test('a power of two is found that is not below a number, and no smaller one', () => {
  for (const [n, power] of [
    [0, 0],
    [1, 0],
    [2, 1],
    [3, 2],
    [1024, 10],
    [1025, 11],
    [2 ** 31, 31],
  ] as const)
    assert.equal(log2Above(n), power)
})

test('the first number that meets a condition is found, or the end', () => {
  fc.assert(
    fc.property(fc.nat(50), fc.nat(50), fc.nat(120), (from, length, border) => {
      const to = from + length
      assert.equal(
        firstWhere(from, to, at => at >= border),
        Math.min(to, Math.max(from, border)),
      )
    }),
  )
})
