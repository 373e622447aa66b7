import { type Column, checkLayout, recordCheck, type TableLayout } from '../../query/layout.ts'
import type { StoredRecord } from '../../query/query.ts'
import { CACHED_DAYS, dayNumber } from '../../values/day-number.ts'
import { memoise } from '../../values/memoise.ts'
import { DIGEST_BYTES } from '../render/texts.ts'
import type { CellBatch, ColumnScan } from './column-scan.ts'

/** Takes the records of a release one by one, in the order of the source. */
export interface RowCollector {
  /** Throws TypeError or RangeError for a record that does not fit the layout; it is not added then. */
  add(record: StoredRecord): void
  /** The rows in served order. A column that was read is freed. */
  inServedOrder(): ColumnScan
}

/** Rows in one chunk of a column. Chunks are never copied, as an array that grows is. */
const CHUNK_SHIFT = 16
const CHUNK = 1 << CHUNK_SHIFT
const IN_CHUNK = CHUNK - 1
/** Rows in a batch. */
const BATCH = 4096

/** Below any day that a timestamp can have. */
const NO_DAY = -(2 ** 31)

interface Collected {
  /** Checks and encodes a cell; nothing is kept until {@link keep}. */
  take(value: unknown): void
  /** Keeps the cell that was taken last as that of a row. */
  keep(row: number): void
  cells(order: Uint32Array): Iterable<CellBatch>
}

/** Collects the rows of a table in typed arrays, and sorts them newest first. */
export function collectRows(layout: TableLayout): RowCollector {
  checkLayout(layout)
  const check = recordCheck(layout)
  const words = new Map<string, Map<string, number>>()
  const days = createChunks(Int32Array)
  const columns = new Map(layout.columns.map(column => [column.name, collect(column)]))
  const collected = [...columns]
  let rows = 0

  function collect({ name, type }: Column): Collected {
    if (type === 'digest') return collectDigests()
    if (type === 'number') {
      const numbers = createChunks(Float64Array)
      return collectNumbers(numbers, Number.NaN, value => (value === null ? Number.NaN : Number(value)))
    }
    if (type === 'word') {
      const codes = new Map<string, number>()
      words.set(name, codes)
      return collectCodes(codes)
    }
    const isOrdering = name === layout.newestFirstBy
    return collectNumbers(isOrdering ? days : createChunks(Int32Array), NO_DAY, dayOf())
  }

  return {
    add(record) {
      check(record)
      for (const [name, column] of collected) column.take(record[name])
      for (const [, column] of collected) column.keep(rows)
      rows++
    },
    inServedOrder() {
      const order = newestFirst(rows, days)
      return {
        rows,
        words: column => [...(words.get(column)?.keys() ?? [])],
        *cells(name) {
          const column = columns.get(name)
          columns.delete(name)
          collected.length = 0
          if (column !== undefined) yield* column.cells(order)
        },
      }
    },
  }
}

function collectCodes(codes: Map<string, number>): Collected {
  const chunks = createChunks(Uint32Array)
  let word = ''
  return {
    take(value) {
      word = value as string
    },
    keep(row) {
      let code = codes.get(word)
      if (code === undefined) {
        code = codes.size
        codes.set(word, code)
      }
      chunks.set(row, code)
    },
    *cells(order) {
      for (let from = 0; from < order.length; from += BATCH)
        yield order.slice(from, from + BATCH).map(chunks.get)
    },
  }
}

/** `none` stands for null. */
function collectNumbers(chunks: Chunks, none: number, numberOf: (value: unknown) => number): Collected {
  let number = none
  const cellOf = (row: number) => {
    const cell = chunks.get(row)
    return Object.is(cell, none) ? null : cell
  }
  return {
    take(value) {
      number = numberOf(value)
    },
    keep: row => chunks.set(row, number),
    *cells(order) {
      for (let from = 0; from < order.length; from += BATCH)
        yield Array.from(order.subarray(from, from + BATCH), cellOf)
    },
  }
}

function collectDigests(): Collected {
  const chunks: Buffer[] = []
  let digits = ''
  return {
    take(value) {
      digits = value as string
    },
    keep(row) {
      if ((row & IN_CHUNK) === 0) chunks.push(Buffer.alloc(CHUNK * DIGEST_BYTES))
      chunks.at(-1)?.write(digits, (row & IN_CHUNK) * DIGEST_BYTES, 'hex')
    },
    *cells(order) {
      for (let from = 0; from < order.length; from += BATCH) {
        const batch = order.subarray(from, from + BATCH)
        const bytes = Buffer.allocUnsafe(batch.length * DIGEST_BYTES)
        for (const [at, row] of batch.entries()) {
          const start = (row & IN_CHUNK) * DIGEST_BYTES
          chunks[row >>> CHUNK_SHIFT]?.copy(bytes, at * DIGEST_BYTES, start, start + DIGEST_BYTES)
        }
        yield bytes
      }
    },
  }
}

/** A column of numbers that grows by chunks. Rows are set in their order. */
interface Chunks {
  set(row: number, value: number): void
  get(row: number): number
}

function createChunks(Kind: new (length: number) => Uint32Array | Int32Array | Float64Array): Chunks {
  const chunks: (Uint32Array | Int32Array | Float64Array)[] = []
  let last = new Kind(0)
  return {
    set(row, value) {
      if ((row & IN_CHUNK) === 0) {
        last = new Kind(CHUNK)
        chunks.push(last)
      }
      last[row & IN_CHUNK] = value
    },
    get: row => chunks[row >>> CHUNK_SHIFT]?.[row & IN_CHUNK] as number,
  }
}

const dayOf = () => {
  const known = memoise((value: string) => dayNumber(value.slice(0, -'T00:00:00.000Z'.length)), CACHED_DAYS)
  return (value: unknown) => (value === null ? NO_DAY : known(value as string))
}

/** The rows by their day, newest first: a counting sort, which keeps the order of the source among equal days. */
function newestFirst(rows: number, days: Chunks): Uint32Array {
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (let row = 0; row < rows; row++) {
    const day = days.get(row)
    if (day === NO_DAY) continue
    first = Math.min(first, day)
    last = Math.max(last, day)
  }
  // Rows without a day follow the oldest.
  const rankOf = (day: number) => (day === NO_DAY ? Math.max(0, last - first + 1) : last - day)
  const starts = new Uint32Array(Math.max(0, last - first + 1) + 2)
  for (let row = 0; row < rows; row++) {
    const rank = rankOf(days.get(row)) + 1
    starts[rank] = (starts[rank] as number) + 1
  }
  for (let rank = 1; rank < starts.length; rank++)
    starts[rank] = (starts[rank] as number) + (starts[rank - 1] as number)
  const order = new Uint32Array(rows)
  for (let row = 0; row < rows; row++) {
    const rank = rankOf(days.get(row))
    order[starts[rank] as number] = row
    starts[rank] = (starts[rank] as number) + 1
  }
  return order
}
