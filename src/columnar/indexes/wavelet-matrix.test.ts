import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { buildWaveletMatrix, countBelow, kthSmallest } from './wavelet-matrix.ts'

const cases = fc.integer({ min: 1, max: 300 }).chain(bound =>
  fc.record({
    bound: fc.constant(bound),
    numbers: fc.array(fc.nat(bound - 1), { minLength: 1, maxLength: 400 }),
    ends: fc.tuple(fc.nat(400), fc.nat(400)),
    k: fc.nat(400),
    below: fc.nat(bound + 10),
  }),
)

test('any slice gives its k-th smallest number, and how many are below a number, as a sorted slice does', () => {
  fc.assert(
    fc.property(cases, ({ bound, numbers, ends, k, below }) => {
      const [start, end] = ends.map(at => Math.min(at, numbers.length)).sort((one, other) => one - other) as [
        number,
        number,
      ]
      const matrix = buildWaveletMatrix(Uint32Array.from(numbers), bound)
      const slice = numbers.slice(start, end).sort((one, other) => one - other)
      assert.equal(countBelow(matrix, start, end, below), slice.filter(number => number < below).length)
      if (k < slice.length) assert.equal(kthSmallest(matrix, start, end, k), slice[k])
    }),
    { numRuns: 1000 },
  )
})

test('the numbers that a matrix is made of are left as they were', () => {
  const numbers = Uint32Array.from({ length: 500 }, (_, i) => (i * 7919) % 500)
  const before = numbers.slice()
  buildWaveletMatrix(numbers, 500)
  assert.deepEqual(numbers, before)
})
