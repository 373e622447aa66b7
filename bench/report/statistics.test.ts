import assert from 'node:assert/strict'
import { test } from 'node:test'
import { median, percentile, quotient, spread } from './statistics.ts'

test('the median is the middle figure, or the mean of the two in the middle, whatever their order', () => {
  assert.equal(median([9, 1, 10]), 9)
  assert.equal(median([4, 1, 3, 2]), 2.5)
  assert.throws(() => median([]), RangeError)
})

test('a spread has the least and the greatest figure beside the median', () => {
  assert.deepEqual(spread([3, 1, 2]), { median: 2, min: 1, max: 3 })
})

test('a quotient is of the least costs, its quartiles are of the rounds, and its thirds are compared', () => {
  const { ofLeast, quartiles, apart } = quotient([8, 10, 12, 9], [10, 25, 20, 30])
  assert.equal(ofLeast, 0.8)
  assert.deepEqual(quartiles, [0.3, 0.6])
  // 8/10, 10/20 and 9/30.
  assert.equal(apart, 0.8 / 0.3 - 1)
  assert.equal(quotient([1, 2], [2, 3]).apart, 0)
})

test('a percentile is a figure that was met, the greatest for a share of one', () => {
  const figures = Float64Array.from({ length: 200 }, (_, i) => i + 1)
  assert.equal(percentile(figures, 0.5), 100)
  assert.equal(percentile(figures, 0.99), 198)
  assert.equal(percentile(figures, 1), 200)
  assert.equal(percentile(Float64Array.of(7), 0), 7)
  assert.throws(() => percentile(new Float64Array(), 0.5), RangeError)
})
