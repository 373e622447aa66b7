import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { guardFormula, unguardFormula } from './formula-text.ts'

test('text that a spreadsheet would run gets an apostrophe, other text stays', () => {
  for (const text of ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '＝1', "'=1"])
    assert.equal(guardFormula(text), `'${text}`)
  for (const text of ['', "'", "'quoted'", '1-1', ' =1']) assert.equal(guardFormula(text), text)
})

test('every text comes back', () => {
  const text = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom("'", '=', '-', '\t', 'a') }))
  fc.assert(fc.property(text, one => unguardFormula(guardFormula(one)) === one))
})
