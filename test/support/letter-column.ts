import fc from 'fast-check'
import { startWords } from '../../src/columnar/build/dictionary.ts'
import { openWordColumn, type WordColumn } from '../../src/columnar/indexes/word-column.ts'

/** Words of one letter: most rows have the first two, which get bitmaps; the rare ones get lists. */
export const LETTERS = [...'abcdefghijklmnopqrstuvwxyz']

export const someLetters = fc.uniqueArray(fc.constantFrom(...LETTERS), { minLength: 1, maxLength: 26 })

/** The words of so many rows. */
export const letters = (length: number) =>
  fc.array(
    fc.oneof(
      { weight: 5, arbitrary: fc.constantFrom('a', 'b') },
      { weight: 1, arbitrary: fc.constantFrom(...LETTERS) },
    ),
    { minLength: length, maxLength: length, size: 'max' },
  )

/** Makes a column of such words in which some are selected. */
export function letterColumn(
  words: readonly string[],
  selected: readonly string[],
  blockShift?: number,
): WordColumn {
  const dictionary = {
    codes: [...LETTERS.keys()],
    values: LETTERS,
    folded: LETTERS.map(letter => (selected.includes(letter) ? '+' : '-')),
  }
  const sizes = blockShift === undefined ? {} : { blockShift }
  const started = startWords('letter', dictionary, words.length, sizes)
  started.take(
    words.map(word => LETTERS.indexOf(word)),
    0,
  )
  const column = openWordColumn(started.finish())
  column.select('containing', '+')
  return column
}
