import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { distance } from 'fastest-levenshtein'
import { fold, guardFormula, nearest, nearestAbbreviation, unguardFormula, visibleText } from './text.ts'

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

test('dots after letters fold away, those of numbers do not; a hyphen is a blank', () => {
  for (const [text, folded] of [
    ['B.M.W.', 'bmw'],
    ['b.m', 'bm'],
    ['.M.W', 'mw'],
    ['M.G. Metro', 'mg metro'],
    ['C.\u0301V', 'cv'],
    ['St. Helier', 'st helier'],
    ['1.2 T.D.I.', '1.2 tdi'],
    ['Mk.2', 'mk.2'],
    ['.5', '.5'],
    ['2. 3', '2. 3'],
    ['x..y ...', 'xy ...'],
    ['..', ''],
    ['Mercedes-Benz', 'mercedes benz'],
    ['e\u2011208', 'e 208'],
    ['-Benz-', 'benz'],
    ['--', ''],
    ['. - .5', '.5'],
    ['x. . y', 'x . y'],
    ['A \u2013 B', 'a \u2013 b'],
  ])
    assert.equal(fold(text ?? ''), folded)
})

test('blanks of every kind and number are one, there are none at the ends, and what cannot be seen is not there', () => {
  for (const text of [
    'Land Rover',
    'LAND\u00a0ROVER',
    'land  rover',
    ' Land\t\u202f\u3000Rover\n',
    'Land - Rover',
    'La\u00adnd\u200b Ro\ufeffver\u2060',
    '\u200eLand\u2028Rover\u200f',
  ])
    assert.equal(fold(text), 'land rover', JSON.stringify(text))
  assert.equal(fold(' \u200b\u00a0'), '')
})

test('text is published without what cannot be seen, and with the blanks that it has', () => {
  for (const [text, visible] of [
    ['Land\u00a0Rover', 'Land Rover'],
    ['12\u202f%\u2007a', '12 % a'],
    ['Land  Rover', 'Land  Rover'],
    ['FORD\u200b', 'FORD'],
    ['\u200eCo\u00adop\u2060', 'Coop'],
    ['Café\u3000du Port', 'Café\u3000du Port'],
    ['👩\u200d👩\u200d👧 ⚠\ufe0f \u200d', '👩\u200d👩\u200d👧 ⚠\ufe0f '],
  ] as const) {
    assert.equal(visibleText(text), visible)
    assert.equal(visibleText(visible), visible)
  }
})

test('a part of a text folds to a part of the folded text, so that any part of a value finds it', () => {
  const letters = fc.constantFrom(...'aB.-1 é_𝐀½', 'İ', 'Σ', '.', '.', ' ', '\u00a0', '\u200b')
  const texts = fc.array(fc.oneof(letters, fc.string({ unit: 'grapheme', maxLength: 1 })), { maxLength: 12 })
  fc.assert(
    fc.property(texts, fc.nat(12), fc.nat(12), (whole, from, length) => {
      const part = fold(whole.slice(from, from + length).join(''))
      assert.ok(fold(whole.join('')).includes(part), part)
      assert.equal(fold(part), part)
    }),
    { numRuns: 2000 },
  )
})

test('no text is found by another that differs in more than dots after letters and runs of blanks', () => {
  const text = fc.string({ unit: fc.constantFrom(...'aB.-1 '), maxLength: 8 })
  const loose = (one: string) => one.toLowerCase().replace(/\./g, '').replace(/[- ]+/g, ' ').trim()
  const numbers = (one: string) => one.match(/\d\.+\d/g) ?? []
  fc.assert(
    fc.property(text, text, (value, wanted) => {
      if (!fold(value).includes(fold(wanted))) return
      assert.ok(loose(value).includes(loose(wanted)))
      for (const number of numbers(wanted)) assert.ok(value.includes(number), number)
    }),
    { numRuns: 5000 },
  )
})

test('other differences stay, and marks of search languages are plain characters', () => {
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

test('text that a spreadsheet would run gets an apostrophe, other text stays', () => {
  for (const text of ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '＝1', "'=1"])
    assert.equal(guardFormula(text), `'${text}`)
  for (const text of ['', "'", "'quoted'", '1-1', ' =1']) assert.equal(guardFormula(text), text)
})

test('every text comes back from the guard against formulas', () => {
  const text = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom("'", '=', '-', '\t', 'a') }))
  fc.assert(fc.property(text, one => unguardFormula(guardFormula(one)) === one))
})
