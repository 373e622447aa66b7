import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { escapeText, unescapeText } from './escape-text.ts'

test('any text survives escaping, and the escaped text has no NUL and no lone surrogate', () => {
  const anyText = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(fc.constantFrom('\0', '"', '\\', '\ud800', '\udc00', 'a')).map(parts => parts.join('')),
  )
  fc.assert(
    fc.property(anyText, text => {
      assert.equal(unescapeText(escapeText(text)), text)
      assert.doesNotMatch(escapeText(text), /[\0\p{Cs}]/u)
    }),
  )
})

test('ordinary text is not changed', () => {
  for (const text of ['', 'Citroën', 'a "quoted" word', "it's", '{}', 'null'])
    assert.equal(escapeText(text), text)
})
