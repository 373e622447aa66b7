import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { CALENDAR_DATE, KNOWN_VALUES } from '../../../query/fields.ts'
import { type Coerce, type FieldSchema, Rejection } from '../importable.ts'
import { coercerOf } from './coerce.ts'

const WORDS = ['LONG_STAY', 'SHORT_STAY', 'UNKNOWN']

test('whatever was read before, a value is read as if it were the first, warnings and rejections too', () => {
  const schemas: FieldSchema[] = [
    { type: 'string', enum: WORDS },
    { type: 'string', [KNOWN_VALUES]: WORDS, default: 'UNKNOWN' },
    { type: ['string', 'null'], format: 'date-time', [CALENDAR_DATE]: true },
    { type: 'string', format: 'date-time' },
    { type: ['number', 'null'] },
    { type: 'string', default: '' },
  ]
  const raw = fc.constantFrom<unknown>(
    ...['', ' ', 'long stay', 'LONG_STAY', 'Unknown', 'longstay', '01/02/2003', '2003-02-01', '2003-02-30'],
    ...['2003-02-01T23:30:00-01:00', '1.50', ' 7', 'CafÃ©', 'Cafe\u0301', '\u0000', null, 7, undefined],
    ...['N/A', 'long\u00a0stay', 'FORD\u200b', '2024-07-01T00:00:00+01:00'],
  )
  const told = (coerce: () => Coerce) => (one: unknown) => {
    const warnings: unknown[] = []
    try {
      return [coerce()(one, 'field', (...warning) => warnings.push(warning)), warnings]
    } catch (error) {
      if (!(error instanceof Rejection)) throw error
      return [error.message, error.value]
    }
  }
  fc.assert(
    fc.property(fc.constantFrom(...schemas), fc.array(raw, { maxLength: 30 }), (schema, raws) => {
      const same = coercerOf(schema, 'field')
      assert.deepEqual(raws.map(told(() => same)), raws.map(told(() => coercerOf(schema, 'field'))))
    }),
  )
})
