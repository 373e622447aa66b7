import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readRetryAfter } from './open-address.ts'

const NOW = Date.parse('2024-02-04T12:00:00Z')
const read = (value: string | undefined, date?: string) => readRetryAfter({ 'retry-after': value, date }, NOW)

test('Retry-After: seconds (RFC 9110 10.2.3)', () => {
  assert.equal(read('120'), 120_000)
  assert.equal(read(' 0 '), 0)
  assert.equal(read('999999999'), 999_999_999_000)
})

test('Retry-After: a date, relative to the Date of the response, else to our own clock', () => {
  const date = 'Sun, 04 Feb 2024 12:01:30 GMT'
  assert.equal(read(date), 90_000)
  assert.equal(read(date, 'Sun, 04 Feb 2024 12:01:00 GMT'), 30_000)
  assert.equal(read(date, 'Mon, 05 Feb 2024 12:01:00 GMT'), 0, 'in the past')
  assert.equal(read('Sunday, 04-Feb-24 12:01:30 GMT'), 90_000, 'the older form of RFC 9110 5.6.7')
})

test('Retry-After: any other value is ignored', () => {
  for (const value of [
    undefined,
    '-5',
    '1.5',
    '1e3',
    '2024-02-04T12:01:30Z',
    'soon',
    'Sunday',
    '9'.repeat(400),
  ])
    assert.equal(read(value), undefined, value)
})
