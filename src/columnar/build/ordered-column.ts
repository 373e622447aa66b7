import { newCodes, startRankIndex } from '../indexes/rank-index.ts'
import type {
  Codes,
  DateIndex,
  DictionaryData,
  OrderedData,
  OrderingDate,
  RankIndex,
} from '../indexes/table-data.ts'
import { buildWaveletMatrix } from '../indexes/wavelet-matrix.ts'
import { coveringList } from './column-pairs.ts'
import type { CellBatch } from './column-scan.ts'

/** Columns with more values have no rank index by date, as counts are usually by columns with few. */
const MAX_RANKED = 2048

/** Starts the column by which rows are ordered: `take` takes the dates of rows, or null. */
export function startOrderingDate(name: string, rows: number) {
  const dates: number[] = []
  const starts: number[] = []
  let last = Number.POSITIVE_INFINITY
  let end = 0
  return {
    take(cells: CellBatch, from: number): void {
      for (let i = 0; i < cells.length; i++) {
        const date = cells[i] as number | null
        if (date === null) continue
        const row = from + i
        if (row !== end || date > last) throw new Error(`row ${row + 1} is not in the order of "${name}"`)
        end = row + 1
        if (date === last) continue
        dates.push(date)
        starts.push(row)
        last = date
      }
    },
    finish: (): OrderingDate => ({
      name,
      values: Int32Array.from(dates),
      starts: Uint32Array.from([...starts, Math.min(end, rows)]),
    }),
  }
}

/** Starts another column of dates or numbers: `take` takes those of rows, or null. */
export function startOrderedColumn(name: string, type: OrderedData['type'], rows: number) {
  const known = new Map<number | null, number>()
  const met: (number | null)[] = []
  let codes: Codes = new Uint16Array(rows)

  /** Returns the provisional code of a value, in order of appearance. */
  function newCode(value: number | null): number {
    const code = met.length
    known.set(value, code)
    met.push(value)
    if (code === 65_536) codes = Uint32Array.from(codes)
    return code
  }

  return {
    take(cells: CellBatch, from: number): void {
      for (let i = 0; i < cells.length; i++) {
        const value = cells[i] as number | null
        const code = known.get(value) ?? newCode(value)
        codes[from + i] = code
      }
    },
    finish(): OrderedData {
      const values = Float64Array.from(met.filter(value => value !== null)).sort()
      const order = new Map<number | null, number>([...values].map((value, code) => [value, code]))
      const final = recode(
        codes,
        met.map(value => order.get(value) ?? values.length),
        values.length + 1,
      )
      return { name, type, values, codes: final, starts: startsOf(final, values.length) }
    },
  }
}

/** Replaces each code, in the same memory where it suffices. */
function recode(codes: Codes, newCode: readonly number[], size: number): Codes {
  const changed =
    codes.BYTES_PER_ELEMENT === newCodes(0, size).BYTES_PER_ELEMENT ? codes : newCodes(codes.length, size)
  for (let row = 0; row < codes.length; row++) changed[row] = newCode[codes[row] as number] as number
  return changed
}

function startsOf(codes: Codes, size: number): Uint32Array<ArrayBuffer> {
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
  const rows = rowsByDate(data)
  const index: DateIndex = {
    list: coveringList(rows, dictionaries),
    matrix: buildWaveletMatrix(rows, data.codes.length),
    rankIndexes: new Map(
      dictionaries
        .filter(({ rankIndex }) => rankIndex.size <= MAX_RANKED)
        .map(dictionary => [dictionary.name, rankByDate(dictionary, rows, minShift)]),
    ),
  }
  return { ...data, index }
}

function rowsByDate({ codes, values, starts }: OrderedData): Uint32Array<ArrayBuffer> {
  const rows = new Uint32Array(starts[values.length] as number)
  const next = starts.slice()
  for (let row = 0; row < codes.length; row++) {
    const code = codes[row] as number
    if (code === values.length) continue
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
