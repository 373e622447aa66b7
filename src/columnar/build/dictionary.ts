import { fold } from '../../values/text.ts'
import { setBit } from '../indexes/bits.ts'
import { SEPARATOR } from '../indexes/dictionary-search.ts'
import { startRankIndex } from '../indexes/rank-index.ts'
import type { Codes, DictionaryData, SearchText } from '../indexes/table-data.ts'
import { buildTrigramIndex } from '../indexes/trigram-index.ts'
import { packTexts } from '../render/texts.ts'
import { type ColumnScan, readCodes } from './column-scan.ts'

export interface DictionarySizes {
  /** A block of a rank index has at least `2 ** blockShift` rows. */
  readonly blockShift?: number
  /** Search texts from this length on have a trigram index. */
  readonly minIndexedText?: number
}

/** Shorter search texts are scanned. */
const MIN_INDEXED_TEXT = 8192
/** A row in a posting list takes the memory of this many bits. */
const BITS_PER_ROW = 32

/** Builds a column of dictionary-encoded strings. */
export function buildDictionary(scan: ColumnScan, name: string, sizes: DictionarySizes = {}): DictionaryData {
  const values = scan.values(name) as readonly string[]
  const sorted = values.toSorted()
  const codes = readCodes(scan, name, sorted)
  return {
    name,
    texts: packTexts(sorted.map(value => JSON.stringify(value))),
    codes,
    search: buildSearchText(sorted.map(fold), sizes.minIndexedText ?? MIN_INDEXED_TEXT),
    ...rowsOfValues(codes, sorted.length, sizes.blockShift),
  }
}

/** Finds the rows of each value. */
function rowsOfValues(codes: Codes, size: number, minShift?: number) {
  const { length } = codes
  const counts = new Uint32Array(size)
  for (let row = 0; row < length; row++) {
    const code = codes[row] as number
    counts[code] = (counts[code] as number) + 1
  }
  const starts = new Uint32Array(size + 1)
  const bitmaps = new Map<number, Int32Array<ArrayBuffer>>()
  for (let code = 0; code < size; code++) {
    const count = counts[code] as number
    const isFrequent = count * BITS_PER_ROW > length
    if (isFrequent) bitmaps.set(code, new Int32Array(Math.ceil(length / 32)))
    starts[code + 1] = (starts[code] as number) + (isFrequent ? 0 : count)
  }
  const rows = new Uint32Array(starts[size] as number)
  const { rankIndex, add, end } = startRankIndex(length, size, minShift)
  for (let row = 0; row < length; row++) {
    const code = codes[row] as number
    const nth = add(code)
    const start = starts[code] as number
    if (start < (starts[code + 1] as number)) rows[start + nth] = row
    else setBit(bitmaps.get(code) as Int32Array, row)
  }
  end()
  return { starts, bitmaps, list: { rows }, rankIndex }
}

/** Builds the text to search for values, with an index from a length of `minIndexed` on. */
export function buildSearchText(folded: readonly string[], minIndexed: number): SearchText {
  const text = SEPARATOR + folded.map(value => value + SEPARATOR).join('')
  const starts = new Uint32Array(folded.length + 1)
  starts[0] = 1
  for (const [i, value] of folded.entries()) starts[i + 1] = (starts[i] as number) + value.length + 1
  const wide = /[^\0-\xff]/.test(text)
  return {
    text: new Uint8Array(Buffer.from(text, wide ? 'utf16le' : 'latin1')),
    wide,
    starts,
    trigrams: text.length < minIndexed ? undefined : buildTrigramIndex(text, starts),
  }
}
