import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wordsOf } from './words.ts'

test('words are folded, each once, without punctuation and without those that are parts of others', () => {
  assert.deepEqual(wordsOf('Citroën, C4 (Picasso)'), ['citroen', 'c4', 'picasso'])
  assert.deepEqual(wordsOf('B.M.W. Mercedes-Benz 1.2'), ['bmw', 'mercedes', 'benz', '1', '2'])
  assert.deepEqual(wordsOf('ford FORD for'), ['ford'])
  assert.deepEqual(wordsOf(' - … '), [])
})
