import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dayNumber, dayTimestamp } from './day-number.ts'

test('a day converts to a number and back, also before 1970 and on 29 February', () => {
  for (const date of ['1970-01-01', '1948-09-13', '2024-02-29', '0001-01-01', '9999-12-31'])
    assert.equal(dayTimestamp(dayNumber(date)), `${date}T00:00:00.000Z`)
  assert.equal(dayNumber('1970-01-02'), 1)
  assert.equal(dayNumber('1969-12-31'), -1)
})

test('an invalid calendar date is refused', () => {
  for (const date of ['2023-02-30', '2023-02-29', '2024-1-1', '', '2024', 'yesterday', '2024-01-01T00:00'])
    assert.throws(() => dayNumber(date), RangeError)
})
