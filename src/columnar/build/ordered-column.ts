import { startRankIndex } from '../indexes/rank-index.ts'
import type {
  Codes,
  DateIndex,
  DictionaryData,
  OrderedData,
  OrderingDate,
  RankIndex,
} from '../indexes/table-data.ts'
import { type ColumnScan, readCodes } from './column-scan.ts'

/** Columns with more values have no rank index by date, since counts are usually by columns with few values. */
const MAX_RANKED = 2048

/** Builds the column of the ordering date. */
export function buildOrderingDate(scan: ColumnScan, name: string): OrderingDate {
  const { values, starts } = sortedColumn(scan, name, (one, other) => other - one)
  return { name, values: Int32Array.from(values), starts }
}

/** Builds another column of dates or numbers. */
export const buildOrderedColumn = (
  scan: ColumnScan,
  name: string,
  type: OrderedData['type'],
): OrderedData => ({ name, type, ...sortedColumn(scan, name) })

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
export function withDateIndex(
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
