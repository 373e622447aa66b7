import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { WRITTEN } from '../reading-table.ts'
import { parseTime } from './time-text.ts'

const instant = (text: string) => {
  const parsed = parseTime(text)
  assert.equal(parsed?.written, WRITTEN.instant, text)
  return new Date(parsed.time).toISOString()
}

test('a time with an offset is an instant', () => {
  assert.equal(instant('2025-07-01T10:00:00.000Z'), '2025-07-01T10:00:00.000Z')
  assert.equal(instant('2025-07-01 10:00:00z'), '2025-07-01T10:00:00.000Z')
  assert.equal(instant('2025-07-01T10:00+01:00'), '2025-07-01T09:00:00.000Z')
  assert.equal(instant('2025-07-01 10:00:30 -0530'), '2025-07-01T15:30:30.000Z')
  assert.equal(instant('2025-07-01T10:00:00.1239Z'), '2025-07-01T10:00:00.123Z')
})

test('a time without an offset is local, and without a year of the leap year 2000', () => {
  assert.deepEqual(parseTime('2025-10-31 23:59:58'), {
    time: Date.parse('2025-10-31T23:59:58Z'),
    written: WRITTEN.local,
  })
  assert.deepEqual(parseTime('2025-10-31T23:59'), {
    time: Date.parse('2025-10-31T23:59:00Z'),
    written: WRITTEN.local,
  })
  assert.deepEqual(parseTime('02-29 00:45:33'), {
    time: Date.parse('2000-02-29T00:45:33Z'),
    written: WRITTEN.localWithoutYear,
  })
})

test('an impossible time or date is not a time', () => {
  for (const text of [
    '',
    'now',
    '2025-02-29 10:00',
    '2025-13-01 10:00',
    '2025-04-31 10:00',
    '02-30 10:00',
    '2025-01-01 24:00',
    '2025-01-01 10:60',
    '2025-01-01 10:00:60',
    '2025-01-01',
    '10:00',
    '01/02/2025 10:00',
    '2025-01-01T10:00+24:00',
    '02-04 23:36:16Z',
    '1969-12-31 10:00',
    '2025-01-01 10:00 GMT',
    '٢٠٢٥-01-01 10:00',
  ])
    assert.equal(parseTime(text), undefined, text)
})

test('reads every instant back as it was written', () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date('1970-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
      date => {
        assert.deepEqual(parseTime(date.toISOString()), { time: date.getTime(), written: WRITTEN.instant })
      },
    ),
  )
})
