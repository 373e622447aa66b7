import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addCheck, parseRejectLimit } from './arguments.ts'

test('a reject limit is rows or per cent', () => {
  assert.deepEqual(parseRejectLimit('0'), { rows: 0 })
  assert.deepEqual(parseRejectLimit('12'), { rows: 12 })
  assert.deepEqual(parseRejectLimit('1.5%'), { percent: 1.5 })
  assert.deepEqual(parseRejectLimit('100%'), { percent: 100 })
})

test('anything else is no reject limit', () => {
  for (const text of ['', '%', '-1', '1.5', '101%', '1e3', ' 1', '1 %', 'Infinity', '1%%', '٣'])
    assert.throws(() => parseRejectLimit(text), /Allowed: a whole number of rows/, text)
})

test('checks are accepted by name; another name gets the nearest', () => {
  assert.deepEqual(addCheck('live-codes', addCheck('row-count')), ['row-count', 'live-codes'])
  assert.throws(() => addCheck('emptied-field'), /Did you mean emptied-fields\? Checks: row-count, /)
  assert.throws(() => addCheck('rejected-rows'), /not accepted by name: raise --reject-limit/)
})
