import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tooManyRejected } from './limits.ts'

test('as many rejected rows as the limit are allowed', () => {
  const why = (read: number, rejected: number, limit: Parameters<typeof tooManyRejected>[1]) =>
    tooManyRejected({ read, rejected }, limit) ?? ''
  assert.equal(why(100, 0, { rows: 0 }), '')
  assert.equal(why(100, 3, { rows: 3 }), '')
  assert.match(why(100, 4, { rows: 3 }), /^4 of 100 rows rejected, but the limit is 3 rows;/)
  assert.equal(why(2000, 20, { percent: 1 }), '')
  assert.match(why(2000, 21, { percent: 1 }), /the limit is 1 % \(20 rows\)/)
  assert.match(why(1, 1, { percent: 1 }), /^1 of 1 row rejected/)
  assert.equal(why(0, 0, { percent: 1 }), '')
})
