import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { fold } from './text.ts'

test('texts that differ in case and accents only fold to the same', () => {
  for (const [one, other] of [
    ['Citroën', 'CITROEN'],
    ['Škoda', 'skoda'],
    ['İstanbul', 'istanbul'],
    ['ΟΔΟΣ', 'οδοσ'],
    ['Cafe\u0301', 'café'],
    ['K', '\u212a'],
  ])
    assert.equal(fold(one ?? ''), fold(other ?? ''))
})

test('other differences stay, and marks of search languages are plain characters', () => {
  assert.notEqual(fold('B.M.W.'), fold('BMW'))
  assert.equal(fold('100%_*?'), '100%_*?')
  assert.equal(fold(''), '')
})

test('folding twice changes nothing, and gives what engines can hold', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), text => {
      const folded = fold(text)
      assert.equal(fold(folded), folded)
      assert.doesNotMatch(folded, /[\0\p{Cs}]/u)
    }),
  )
  for (let code = 0; code <= 0x10ffff; code++) {
    const folded = fold(String.fromCodePoint(code))
    if (fold(folded) !== folded) assert.fail(`U+${code.toString(16)} folds to "${folded}" and then further`)
  }
})
