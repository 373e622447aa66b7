import { setImmediate as nextTurn } from 'node:timers/promises'
import type { TableLayout } from '../../query/layout.ts'
import { fold } from '../../values/text.ts'
import { buildTrigramIndex, SEPARATOR } from '../dictionary-search.ts'
import { DIGEST_BYTES, packTexts } from '../render.ts'
import { newCodes, setBit, startRankIndex } from '../row-set.ts'
import type {
  Codes,
  DateIndex,
  DictionaryData,
  DigestData,
  OrderedData,
  OrderingDate,
  RankIndex,
  SearchText,
  TableData,
} from '../table-data.ts'
import { prerenderRows } from './prerendered-rows.ts'

export interface TableBuildOptions {
  /** Memory limit, in bytes, for prerendered rows. If they need more, rows are assembled for each result. */
  readonly prerenderBytes: number
  /** Overrides the sizes for large tables, so that tests reach every boundary with few rows. */
  readonly sizes?: Sizes
}

export interface Sizes extends DictionarySizes {
  /** A chunk of prerendered rows has `2 ** chunkShift` rows. */
  readonly chunkShift?: number
}

/**
 * Builds all columns and indexes. Every array is allocated once, at its full size. Between two columns the event loop runs other
 * work, such as the handling of a signal.
 */
export async function buildTableData(
  scan: ColumnScan,
  layout: TableLayout,
  { prerenderBytes, sizes = {} }: TableBuildOptions,
): Promise<TableData> {
  const dictionaries: DictionaryData[] = []
  const dated: OrderedData[] = []
  const digests: DigestData[] = []
  for (const { name, type } of layout.columns) {
    if (type === 'word') dictionaries.push(buildDictionary(scan, name, sizes))
    else if (type === 'digest') digests.push(readDigests(scan, name))
    else if (name !== layout.newestFirstBy)
      dated.push(buildOrderedColumn(scan, name, type === 'day' ? 'date' : type))
    await nextTurn()
  }
  const data: TableData = {
    rows: scan.rows,
    ordering: buildOrderingDate(scan, layout.newestFirstBy),
    dictionaries,
    ordered: dated.map(column => withDateIndex(column, dictionaries, sizes.blockShift)),
    digests,
    prerendered: undefined,
  }
  const prerendered = prerenderRows(layout, data, prerenderBytes, sizes.chunkShift)
  if (prerendered === undefined) return data
  const last = prerendered.endsWithDigest ? layout.columns.at(-1)?.name : undefined
  return { ...data, prerendered, digests: data.digests.filter(({ name }) => name !== last) }
}

function readDigests(scan: ColumnScan, name: string): DigestData {
  const bytes = new Uint8Array(scan.rows * DIGEST_BYTES)
  let end = 0
  for (const cells of scan.cells(name)) {
    bytes.set(cells, end)
    end += cells.length
  }
  return { name, bytes }
}

/** The rows of a table in served order, column by column, to build its columns and indexes from. */
export interface ColumnScan {
  readonly rows: number
  /** The distinct values of a column: words, or numbers, or days since 1970-01-01. A number or day may be null. */
  values(column: string): readonly ColumnValue[]
  /**
   * The cells of a column in batches of consecutive rows, as indexes into the list of distinct values; digests as 32 bytes each.
   * Each column is read once.
   */
  cells(column: string): Iterable<Uint32Array | Uint8Array>
}

export type ColumnValue = string | number | null

/** Reads a column as codes: the indexes of its values in `sorted`. */
function readCodes(scan: ColumnScan, column: string, sorted: readonly ColumnValue[]): Codes {
  const placeOf = new Map(sorted.map((value, place) => [value, place]))
  const codeOf = Uint32Array.from(scan.values(column), value => placeOf.get(value) as number)
  const codes = newCodes(scan.rows, sorted.length)
  let row = 0
  for (const cells of scan.cells(column))
    for (let i = 0; i < cells.length; i++) codes[row++] = codeOf[cells[i] as number] as number
  return codes
}

/** Columns with more values have no rank index by date, since counts are usually by columns with few values. */
const MAX_RANKED = 2048

/** Builds the column of the ordering date. */
function buildOrderingDate(scan: ColumnScan, name: string): OrderingDate {
  const { values, starts } = sortedColumn(scan, name, (one, other) => other - one)
  return { name, values: Int32Array.from(values), starts }
}

/** Builds another column of dates or numbers. */
const buildOrderedColumn = (scan: ColumnScan, name: string, type: OrderedData['type']): OrderedData => ({
  name,
  type,
  ...sortedColumn(scan, name),
})

function sortedColumn(scan: ColumnScan, name: string, order?: (one: number, other: number) => number) {
  const numbers = scan.values(name).filter(value => typeof value === 'number')
  const values = Float64Array.from(numbers).sort(order)
  const codes = readCodes(scan, name, [...values, null])
  return { values, codes, starts: startsOf(codes, values.length) }
}

/** Where the rows of each code start. Rows with a code of `size` or more are left out. */
export function startsOf(codes: Codes, size: number): Uint32Array<ArrayBuffer> {
  const starts = new Uint32Array(size + 1)
  for (let row = 0; row < codes.length; row++) {
    const code = codes[row] as number
    if (code < size) starts[code + 1] = (starts[code + 1] as number) + 1
  }
  for (let code = 0; code < size; code++)
    starts[code + 1] = (starts[code + 1] as number) + (starts[code] as number)
  return starts
}

/** Adds the index of a column of dates. */
function withDateIndex(
  data: OrderedData,
  dictionaries: readonly DictionaryData[],
  minShift?: number,
): OrderedData {
  if (data.type !== 'date') return data
  const rows = rowsByCode(data.codes, data.starts)
  const index: DateIndex = {
    list: { rows },
    rankIndexes: new Map(
      dictionaries
        .filter(({ rankIndex }) => rankIndex.size <= MAX_RANKED)
        .map(dictionary => [dictionary.name, rankByDate(dictionary, rows, minShift)]),
    ),
  }
  return { ...data, index }
}

/** The rows sorted by code, in row order within a code. `starts` is the result of `startsOf`. */
export function rowsByCode(codes: Codes, starts: Uint32Array): Uint32Array<ArrayBuffer> {
  const size = starts.length - 1
  const rows = new Uint32Array(starts[size] as number)
  const next = starts.slice()
  for (let row = 0; row < codes.length; row++) {
    const code = codes[row] as number
    if (code >= size) continue
    rows[next[code] as number] = row
    next[code] = (next[code] as number) + 1
  }
  return rows
}

function rankByDate({ codes, rankIndex }: DictionaryData, rows: Uint32Array, minShift?: number): RankIndex {
  const started = startRankIndex(rows.length, rankIndex.size, minShift)
  for (let i = 0; i < rows.length; i++) started.add(codes[rows[i] as number] as number)
  started.end()
  return started.rankIndex
}

interface DictionarySizes {
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
function buildDictionary(scan: ColumnScan, name: string, sizes: DictionarySizes = {}): DictionaryData {
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
