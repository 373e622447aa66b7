import fc from 'fast-check'
import type { ColumnScan } from '../../src/columnar/build/column-scan.ts'
import { buildDictionary } from '../../src/columnar/build/dictionary.ts'
import { type DictionaryColumn, openDictionaryColumn } from '../../src/columnar/indexes/dictionary-column.ts'

/** Values of one letter: most rows have the first two, which get bitmaps; the rare ones get posting lists. */
export const LETTERS = [...'abcdefghijklmnopqrstuvwxyz']

export const someLetters = fc.uniqueArray(fc.constantFrom(...LETTERS), { minLength: 1, maxLength: 26 })

/** The values of this many rows. */
export const letters = (length: number) =>
  fc.array(
    fc.oneof(
      { weight: 5, arbitrary: fc.constantFrom('a', 'b') },
      { weight: 1, arbitrary: fc.constantFrom(...LETTERS) },
    ),
    { minLength: length, maxLength: length, size: 'max' },
  )

/** Makes a column of such values in which some are selected. */
export function letterColumn(
  values: readonly string[],
  selected: readonly string[],
  blockShift?: number,
): DictionaryColumn {
  const dictionary = LETTERS.map(letter => (selected.includes(letter) ? `${letter}+` : letter))
  const sizes = blockShift === undefined ? {} : { blockShift }
  const scan: ColumnScan = {
    rows: values.length,
    values: () => dictionary,
    cells: () => [Uint32Array.from(values, value => LETTERS.indexOf(value))],
  }
  const column = openDictionaryColumn(buildDictionary(scan, 'letter', sizes))
  column.select('containing', '+')
  return column
}
