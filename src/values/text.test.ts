import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { fold, withoutSecrets } from './text.ts'

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

const CASES: [string, string][] = [
  ['https://example.org:8080/a', 'https://example.org:8080/a'],
  ['http://[::1]:8080/', 'http://[::1]:8080/'],
  ['sqlite:./data', 'sqlite:./data'],
  ['postgres://a:5432,b:5433/pds', 'postgres://a:5432,b:5433/pds'],
  ['https://me:secret@example.org/', 'https://…@example.org/'],
  ['redis://:sec/r@et@a:1,b:2/0', 'redis://…@a:1,b:2/0'],
  ['redis://default:secret', 'redis://default:…'],
  ['redis://:12345', 'redis://:…'],
  [
    'postgres://a/pds?user=me&password=secret&sslmode=require',
    'postgres://a/pds?user=me&password=…&sslmode=require',
  ],
  ['redis+sentinel://s/p?sentinelPassword=secret', 'redis+sentinel://s/p?sentinelPassword=…'],
]

for (const [text, shown] of CASES)
  test(`${text} is shown as ${shown}`, () => assert.equal(withoutSecrets(text), shown))

test('whatever a password is made of, nothing in front of the host is shown', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (user, password) => {
      assert.equal(withoutSecrets(`redis://${user}:${password}@host:6379/0`), 'redis://…@host:6379/0')
    }),
  )
})
