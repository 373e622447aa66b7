import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { distance } from 'fastest-levenshtein'
import { fold, nearest, nearestAbbreviation } from './text.ts'

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

test('the nearest candidate is one with a slip in three letters at most; there is none only where all are further', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '/', 'é'), maxLength: 9 })
  const isNear = (text: string, candidate: string) =>
    distance(text, candidate) * 3 <= Math.max(text.length, candidate.length)
  fc.assert(
    fc.property(word, fc.array(word, { maxLength: 6 }), (text, candidates) => {
      const found = nearest(text, candidates)
      if (found === undefined) return assert.ok(!candidates.some(candidate => isNear(text, candidate)))
      assert.ok(candidates.includes(found))
      const isSwap = distance(text, found) === 2 && [...text].sort().join() === [...found].sort().join()
      assert.ok(isNear(text, found) || (isSwap && text.length > 2), `${found} is far from ${text}`)
      if (candidates.includes(text)) assert.equal(found, text)
    }),
  )
})

test("two letters in each other's place are one slip", () => {
  assert.equal(nearest('pgae', ['limit', 'page']), 'page')
  assert.equal(nearest('cvs', ['json', 'csv']), 'csv')
  assert.equal(nearest('/nothing', ['/parking', '/docs']), undefined)
})

test('a code is found by the name that it abbreviates, the longest first; else by its own spelling', () => {
  const codes = ['SANDST', 'PIERRD', 'GREENST', 'GRN', 'MINDENPL']
  for (const [text, code] of [
    ['GREENSTREET', 'GREENST'],
    ['green street', 'GREENST'],
    ['Minden Place', 'MINDENPL'],
    ['Pier Road', 'PIERRD'],
    ['SANDTS', 'SANDST'],
    ['EVERGREENSTREET', undefined],
    ['a street of sand and more', undefined],
    ['', undefined],
  ] as const)
    assert.equal(nearestAbbreviation(text, codes), code, text)
})
