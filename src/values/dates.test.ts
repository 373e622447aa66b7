import assert from 'node:assert/strict'
import { test } from 'node:test'
import { moment } from './dates.ts'
import { NotAllowed } from './values.ts'

test('a moment is a day, or an instant with its offset from UTC', () => {
  const { parse, format } = moment()
  for (const [text, canonical] of [
    ['2025-03-30', '2025-03-30'],
    ['2024-02-29T09:00Z', '2024-02-29T09:00:00.000Z'],
    ['2025-03-30t09:00:01.5+01:00', '2025-03-30T08:00:01.500Z'],
    ['2025-03-30T00:30-0100', '2025-03-30T01:30:00.000Z'],
    // A plus that is not percent-encoded arrives as a space.
    ['2025-03-30T09:00 01:00', '2025-03-30T08:00:00.000Z'],
  ] as const)
    assert.equal(format(parse(text)), canonical)
})

test('anything else is refused', () => {
  for (const text of [
    ...['', 'today', '2025', '2025-3-1', '2025-02-29', '2025-13-01', '30/03/2025', '2025-03-30T09:00'],
    ...['2025-03-30T24:30Z', '2025-03-30T09:60Z', '2025-02-30T09:00Z', '1742904000', '2025-03-30T09Z'],
    ...['2025-03-30T09:00+25:00', `2025-03-30T09:00:00.${'0'.repeat(50)}Z`],
  ])
    assert.throws(() => moment().parse(text), NotAllowed, text)
})
