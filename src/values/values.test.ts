import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { calendarDate } from './dates.ts'
import { nearest } from './text.ts'
import { flag, integer, listOf, NotAllowed, oneOf, text, type ValueType } from './values.ts'

const refuses = (type: ValueType<unknown>, ...values: string[]) => {
  for (const value of values) assert.throws(() => type.parse(value), NotAllowed, value)
}

test('dates are read in three forms and written in one', () => {
  const date = calendarDate()
  assert.equal(date.parse('2024-01-05'), '2024-01-05')
  assert.equal(date.parse('2024/01/05'), '2024-01-05')
  assert.equal(date.parse('2024-01-05T23:30:00-01:00'), '2024-01-06')
  assert.equal(date.parse('2024-02-29T00:00:00.000Z'), '2024-02-29')
})

test('dates that do not exist, and other forms, are refused', () => {
  refuses(
    calendarDate(),
    '2023-02-30',
    '2023-02-29',
    '2024-13-01',
    '2024-00-10',
    '2024-1-5',
    '05/01/2024',
    '2024-01/05',
  )
  refuses(
    calendarDate(),
    '',
    '2024',
    '20240105',
    '2024-01-05T25:00:00Z',
    '2023-02-30T10:00:00Z',
    '2024-01-05 10:00',
    '2024-01-05T10:00',
    '9999-12-31T23:30:00-01:00',
    '0000-01-01T00:30:00+01:00',
  )
})

test('every date of the calendar is read back as itself', () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date('1000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
      instant => {
        const day = instant.toISOString().slice(0, 10)
        assert.equal(calendarDate().parse(day), day)
        assert.equal(calendarDate().parse(instant.toISOString()), day)
      },
    ),
  )
})

test('text is bounded and holds no control characters', () => {
  assert.equal(text({ maxLength: 5 }).parse('%_*é'), '%_*é')
  refuses(text({ maxLength: 5 }), '123456', 'a\u0000', 'a\r\nb', '\u007f')
})

test('words are compared as declared, with a hint to the nearest', () => {
  assert.equal(oneOf(['PETROL', 'GAS'], { ignoreCase: true }).parse('petrol'), 'PETROL')
  refuses(oneOf(['PETROL', 'GAS']), 'petrol', '', 'toString', '__proto__')
  assert.equal(nearest('petrl', ['GAS', 'PETROL']), 'PETROL')
  assert.equal(nearest('xyz', ['GAS', 'PETROL']), undefined)
})

test('lists and flags', () => {
  assert.deepEqual(listOf(integer({ minimum: 0, maximum: 9 })).parse(' 1, 2,,3 '), [1, 2, 3])
  refuses(listOf(integer({ minimum: 0, maximum: 9 })), '1,x')
  assert.equal(flag().parse('true'), true)
  refuses(flag(), 'yes', '1', 'TRUE', '')
})
