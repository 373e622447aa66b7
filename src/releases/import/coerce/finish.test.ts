import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import Type from 'typebox'
import { Compile } from 'typebox/compile'
import { Rejection } from '../importable.ts'
import { recordFinisher } from './coerce.ts'

const record = Type.Object({
  name: Type.String(),
  at: Type.Unsafe({ type: ['string', 'null'], format: 'date-time' }),
  seats: Type.Unsafe({ type: ['integer', 'null'], minimum: 0 }),
  hash: Type.String({ pattern: '^[0-9a-f]{4}$' }),
})
const whole = Compile(record)

const value = fc.constantFrom<unknown>(
  ...['a', '', 'beef', 'beef0', 0, 1, -1, 1.5, null, undefined, true, {}],
  ...['2024-03-11T00:00:00.000Z', '2024-03-12T00:00:00.000Z', '2024-13-11T00:00:00.000Z', '2024-03-11'],
)
const made = fc.record({ hash: value, seats: value, name: value, at: value, other: value })

test('a record is finished, with the fields of the schema alone in its order, if and only if the whole schema holds', () => {
  fc.assert(
    fc.property(fc.array(made, { maxLength: 20 }), records => {
      const finish = recordFinisher({ record })
      for (const one of records) {
        if (whole.Check(one)) assert.deepEqual(Object.entries(finish(one)), entries(one))
        else assert.throws(() => finish(one), Rejection)
      }
    }),
    { numRuns: 500, examples: [[[good('2024-03-11T00:00:00.000Z'), good('2024-03-11T00:00:00.000Z')]]] },
  )
})

function good(at: string) {
  return { hash: 'beef', seats: 4, other: 1, name: 'a', at } as const
}

const entries = (one: Readonly<Record<string, unknown>>) =>
  Object.keys(record.properties).map(name => [name, one[name]])
