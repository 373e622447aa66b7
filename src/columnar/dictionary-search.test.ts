import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { fold } from '../values/text.ts'
import { buildSearchText } from './build/build-table.ts'
import { openDictionarySearch } from './dictionary-search.ts'

const letter = fc.constantFrom(...'abcde 01', 'é', 'σ', '\uffee', '\ufffd', '🚗')
const folded = fc.string({ unit: letter, maxLength: 8 }).map(fold)
/** More characters than there are classes. */
const strange = fc
  .string({
    unit: fc.integer({ min: 0x3041, max: 0x30ff }).map(unit => String.fromCharCode(unit)),
    maxLength: 5,
  })
  .map(fold)

for (const [name, minIndexed] of [
  ['by a scan', Number.POSITIVE_INFINITY],
  ['by its trigrams', 0],
] as const)
  test(`a text searched ${name} finds the values that contain a needle, and those that equal it`, () => {
    const word = fc.oneof({ weight: 3, arbitrary: folded }, { weight: 1, arbitrary: strange })
    const cases = fc
      .array(word, { minLength: 1, maxLength: 300, size: 'max' })
      .chain(words => fc.tuple(fc.constant(words), fc.oneof(word, fc.constantFrom(...words), partOf(words))))
    fc.assert(
      fc.property(cases, ([words, needle]) => {
        const search = openDictionarySearch(buildSearchText(words, minIndexed))
        for (const [found, wanted] of [
          [search.containing, (one: string) => one.includes(needle)],
          [search.equalTo, (one: string) => one === needle],
        ] as const) {
          const expected = words.flatMap((one, i) => (wanted(one) ? [i] : []))
          // Searches twice: a search must not affect the next one.
          for (const codes of [found(needle), found(needle)])
            assert.deepEqual(
              [...codes].sort((one, other) => one - other),
              expected,
            )
        }
      }),
      { numRuns: 500 },
    )
  })

const partOf = (words: readonly string[]) =>
  fc
    .tuple(fc.constantFrom(...words), fc.nat(5), fc.integer({ min: 1, max: 5 }))
    .map(([one, from, length]) => one.slice(from, from + length))
