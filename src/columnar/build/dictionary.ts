import type { CellBatch, Words } from '../../store/contents.ts'
import { newCodes, startTally } from '../indexes/rank-index.ts'
import type { Codes, SearchPart, WordPart } from '../indexes/table-data.ts'
import { gramsOf } from '../indexes/trigram-index.ts'
import { SEPARATOR } from '../indexes/word-search.ts'
import { packTexts } from '../render/texts.ts'
import type { Sizes } from './build-table.ts'

const GRAMS_FROM = 8192
/** A row in a list takes as much as a bit in each of this many rows. */
const BITS_A_ROW = 32

/** Starts a column of words: `take` takes the engine's codes of the words of rows. */
export function startWords(name: string, { values, ...words }: Words, rows: number, sizes: Sizes = {}) {
  const sorted = inOrder(values)
  const codeOf = newCodeByOld(words.codes, sorted)
  const codes = newCodes(rows, sorted.length)
  return {
    take(cells: CellBatch, from: number): void {
      for (let i = 0; i < cells.length; i++) {
        const code = codeOf[cells[i] as number] ?? NO_WORD
        if (code === NO_WORD) throw new Error(`column "${name}" has no word of the code ${cells[i]}`)
        codes[from + i] = code
      }
    },
    finish: (): WordPart => ({
      name,
      texts: packTexts(Array.from(sorted, i => JSON.stringify(values[i]))),
      codes,
      search: searchPart(
        Array.from(sorted, i => words.folded[i] as string),
        sizes.gramsFrom ?? GRAMS_FROM,
      ),
      ...rowsOfWords(codes, sorted.length, sizes.blockShift),
    }),
  }
}

/** Gives the places of texts in code-unit order, as that of ties in counts is. */
function inOrder(texts: readonly string[]): Uint32Array {
  const places = Uint32Array.from(texts.keys())
  return places.sort((one, other) => ((texts[one] as string) < (texts[other] as string) ? -1 : 1))
}

const NO_WORD = -1

/** Gives the place in the order of each of the engine's codes. */
function newCodeByOld(codes: readonly number[], sorted: Uint32Array): Int32Array {
  const most = codes.reduce((most, code) => Math.max(most, code), -1)
  const newCodes = new Int32Array(most + 1).fill(NO_WORD)
  for (let i = 0; i < sorted.length; i++) newCodes[codes[sorted[i] as number] as number] = i
  return newCodes
}

/** Finds the rows of each word. */
function rowsOfWords(codes: Codes, words: number, leastShift?: number) {
  const { length } = codes
  const counts = new Uint32Array(words)
  for (let row = 0; row < length; row++) {
    const code = codes[row] as number
    counts[code] = (counts[code] as number) + 1
  }
  const starts = new Uint32Array(words + 1)
  const bitmaps = new Map<number, Int32Array<ArrayBuffer>>()
  for (let code = 0; code < words; code++) {
    const count = counts[code] as number
    const isFrequent = count * BITS_A_ROW > length
    if (isFrequent) bitmaps.set(code, new Int32Array(Math.ceil(length / 32)))
    starts[code + 1] = (starts[code] as number) + (isFrequent ? 0 : count)
  }
  const positions = new Uint32Array(starts[words] as number)
  const { tally, add, end } = startTally(length, words, leastShift)
  for (let row = 0; row < length; row++) {
    const code = codes[row] as number
    const nth = add(code)
    const start = starts[code] as number
    if (start < (starts[code + 1] as number)) positions[start + nth] = row
    else setBit(bitmaps.get(code), row)
  }
  end()
  return { starts, bitmaps, listed: { rows: positions, beside: new Map() }, tally }
}

function setBit(bitmap: Int32Array | undefined, row: number): void {
  if (bitmap !== undefined) bitmap[row >>> 5] = (bitmap[row >>> 5] as number) | (1 << (row & 31))
}

export function searchPart(folded: readonly string[], gramsFrom: number): SearchPart {
  const text = SEPARATOR + folded.map(word => word + SEPARATOR).join('')
  const starts = new Uint32Array(folded.length + 1)
  starts[0] = 1
  for (const [i, word] of folded.entries()) starts[i + 1] = (starts[i] as number) + word.length + 1
  const wide = /[^\0-\xff]/.test(text)
  return {
    text: new Uint8Array(Buffer.from(text, wide ? 'utf16le' : 'latin1')),
    wide,
    starts,
    ...(text.length < gramsFrom ? {} : { grams: gramsOf(text, starts) }),
  }
}
