import assert from 'node:assert/strict'
import { test } from 'node:test'
import { delimiterOf } from './delimiter.ts'

test('the most frequent of the characters that separate columns, outside quotes', () => {
  assert.equal(delimiterOf('name,parish'), ',')
  assert.equal(delimiterOf('name;latitude,longitude;parish'), ';')
  assert.equal(delimiterOf('name\tparish, place\tnotes'), '\t')
  assert.equal(delimiterOf('name|parish|notes; remarks'), '|')
  assert.equal(delimiterOf('"open: Mon|Tue|Wed","parish"'), ',')
  assert.equal(delimiterOf('name'), ',')
})

test('a header that two characters separate into as many columns is refused', () => {
  assert.throws(() => delimiterOf('name;latitude,longitude'), {
    name: 'Refusal',
    message:
      'the header has as many commas as semicolons (1 of each); say which separates the columns with --delimiter',
  })
})
