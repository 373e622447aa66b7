import type { Codes, DictionaryData, OrderedData, PairCounts, PostingList } from '../indexes/table-data.ts'

/** Columns of fewer values have bitmaps for most of their rows, and short posting lists. */
const MIN_VALUES = 2048

/** Adds covering codes of the other columns to the posting lists of a column with many values. */
export function withCoveringCodes(
  data: DictionaryData,
  dictionaries: readonly DictionaryData[],
  ordered: readonly OrderedData[],
  minValues = MIN_VALUES,
): DictionaryData {
  if (data.rankIndex.size < minValues) return data
  const { rows } = data.list
  const covering = coveringCodes(
    rows,
    dictionaries.filter(({ name }) => name !== data.name),
  )
  for (const { name, type, codes } of ordered)
    if (type === 'date' && codes instanceof Uint16Array) covering.set(name, pick(rows, codes, Uint16Array))
  return { ...data, list: { rows, covering } }
}

/** Makes a posting list with covering codes of dictionary columns. */
export function coveringList(
  rows: Uint32Array<ArrayBuffer>,
  dictionaries: readonly DictionaryData[],
): PostingList {
  return { rows, covering: coveringCodes(rows, dictionaries) }
}

/** Columns with few values take one byte per row; others are not worth their memory. */
function coveringCodes(rows: Uint32Array, dictionaries: readonly DictionaryData[]) {
  const few = dictionaries.filter(({ rankIndex }) => rankIndex.size <= 256)
  return new Map<string, Covering>(few.map(({ name, codes }) => [name, pick(rows, codes, Uint8Array)]))
}

type Covering = Uint8Array<ArrayBuffer> | Uint16Array<ArrayBuffer>

function pick<T extends Covering>(rows: Uint32Array, codes: Codes, Kind: new (length: number) => T): T {
  const picked = new Kind(rows.length)
  for (let at = 0; at < rows.length; at++) picked[at] = codes[rows[at] as number] as number
  return picked
}

/** Two columns whose values make more pairs than this have no co-occurrence counts. */
const MAX_PAIRS = 65_536

/** Counts the co-occurrences of values for every two columns of low cardinality. */
export function countPairs(columns: readonly DictionaryData[]): PairCounts[] {
  return columns.flatMap((one, i) =>
    columns
      .slice(i + 1)
      .filter(another => one.rankIndex.size * another.rankIndex.size <= MAX_PAIRS)
      .map(another => ({ one: one.name, another: another.name, counts: countsOf(one, another) })),
  )
}

function countsOf(one: DictionaryData, another: DictionaryData): Uint32Array<ArrayBuffer> {
  const width = another.rankIndex.size
  const counts = new Uint32Array(one.rankIndex.size * width)
  for (let row = 0; row < one.codes.length; row++) {
    const pair = (one.codes[row] as number) * width + (another.codes[row] as number)
    counts[pair] = (counts[pair] as number) + 1
  }
  return counts
}
