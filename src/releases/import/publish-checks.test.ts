import assert from 'node:assert/strict'
import { test } from 'node:test'
import { manyReplaced, tooManyRejected, unlikelySize } from './publish-checks.ts'
import { createStatistics } from './report.ts'

const rejected = (read: number, rejected: number) => ({ ...createStatistics(), read, rejected })

test('as many rejected rows as the limit are allowed', () => {
  assert.equal(tooManyRejected(rejected(100, 0), { rows: 0 }), undefined)
  assert.equal(tooManyRejected(rejected(100, 3), { rows: 3 }), undefined)
  assert.match(
    tooManyRejected(rejected(100, 4), { rows: 3 }) ?? '',
    /^4 of 100 rows rejected, but the limit is 3 rows;/,
  )
  assert.equal(tooManyRejected(rejected(2000, 20), { percent: 1 }), undefined)
  assert.match(tooManyRejected(rejected(2000, 21), { percent: 1 }) ?? '', /the limit is 1 % \(20 rows\)/)
  assert.match(tooManyRejected(rejected(1, 1), { percent: 1 }) ?? '', /^1 of 1 row rejected/)
  assert.equal(tooManyRejected(rejected(0, 0), { percent: 1 }), undefined)
})

test('a fifth may be lost, and anything may follow nothing', () => {
  assert.equal(unlikelySize(80, 100), undefined)
  assert.match(unlikelySize(79, 100) ?? '', /a loss of more than a fifth/)
  assert.equal(unlikelySize(5, undefined), undefined)
  assert.match(unlikelySize(0, undefined) ?? '', /no records/)
  assert.equal(unlikelySize(5, 0), undefined)
})

test('a release of 50 records or more may not grow tenfold', () => {
  assert.equal(unlikelySize(499, 50), undefined)
  assert.match(unlikelySize(500, 50) ?? '', /ten times as many/)
  assert.equal(unlikelySize(5000, 49), undefined)
})

test('replacing more than a fifth of the records gets a warning', () => {
  const removed = (count: number) => ({ added: count, changed: 0, removed: count })
  assert.equal(manyReplaced(removed(20), 100), undefined)
  assert.match(manyReplaced(removed(21), 100) ?? '', /^21 of the 100 records/)
  assert.equal(manyReplaced(removed(0), undefined), undefined)
})
