import { type Column, checkLayout, type TableLayout } from '../../query/layout.ts'
import type { StoredRecord } from '../../query/query.ts'
import { dayNumber } from '../../values/day-number.ts'
import { ownText } from '../../values/text.ts'
import { DIGEST_BYTES } from '../render.ts'
import { type ColumnScan, type ColumnValue, rowsByCode, startsOf } from './build-table.ts'

/** Takes the records of a release one by one, in the order of the source. */
interface RowCollector {
  /** Adds a record that fits the layout. */
  add(record: StoredRecord): void
  /** The rows in served order. Reading a column frees its memory. */
  inServedOrder(): ColumnScan
}

/** Rows in one chunk of a column. Chunks are never copied, unlike an array that grows. */
const CHUNK_SHIFT = 16
const CHUNK = 1 << CHUNK_SHIFT
const IN_CHUNK = CHUNK - 1
/** Rows in a batch. */
const BATCH = 4096

interface Collected {
  /** The distinct values by code; empty for digests. */
  readonly values: readonly ColumnValue[]
  add(value: unknown, row: number): void
  cells(order: Uint32Array): Iterable<Uint32Array | Uint8Array>
}

interface Coded extends Collected {
  codeIn(row: number): number
}

/** Collects the rows of a table in typed arrays, and sorts them newest first. */
export function collectRows(layout: TableLayout): RowCollector {
  checkLayout(layout)
  const ordering = collectDays()
  const collected = layout.columns.map(({ name, type }) => ({
    name,
    column: name === layout.newestFirstBy ? ordering : COLLECT[type](),
  }))
  const columns = new Map(collected.map(({ name, column }) => [name, column]))
  let rows = 0
  return {
    add(record) {
      for (const { name, column } of collected) column.add(record[name], rows)
      rows++
    },
    inServedOrder() {
      const order = newestFirst(rows, ordering)
      collected.length = 0
      return {
        rows,
        values: name => columns.get(name)?.values ?? [],
        *cells(name) {
          const column = columns.get(name)
          columns.delete(name)
          if (column !== undefined) yield* column.cells(order)
        },
      }
    },
  }
}

/** Gives each distinct value a code, in order of appearance. */
function collectCodes(toValue: (cell: ColumnValue) => ColumnValue): Coded {
  const codes = new Map<ColumnValue, number>()
  const values: ColumnValue[] = []
  const chunks: Uint32Array[] = []
  let last = new Uint32Array(0)
  let cell: ColumnValue | undefined
  let code = 0
  const codeIn = (row: number) => chunks[row >>> CHUNK_SHIFT]?.[row & IN_CHUNK] as number
  return {
    values,
    codeIn,
    add(value, row) {
      if (value !== cell) {
        cell = value as ColumnValue
        const known = codes.get(cell)
        code = known ?? values.length
        if (known === undefined) {
          if (typeof cell === 'string') cell = ownText(cell)
          codes.set(cell, code)
          values.push(toValue(cell))
        }
      }
      if ((row & IN_CHUNK) === 0) {
        last = new Uint32Array(CHUNK)
        chunks.push(last)
      }
      last[row & IN_CHUNK] = code
    },
    *cells(order) {
      for (let from = 0; from < order.length; from += BATCH) yield order.slice(from, from + BATCH).map(codeIn)
    },
  }
}

function collectDigests(): Collected {
  const chunks: Buffer[] = []
  return {
    values: [],
    add(value, row) {
      if ((row & IN_CHUNK) === 0) chunks.push(Buffer.alloc(CHUNK * DIGEST_BYTES))
      chunks.at(-1)?.write(value as string, (row & IN_CHUNK) * DIGEST_BYTES, 'hex')
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

const collectDays = () =>
  collectCodes(day => (day === null ? null : dayNumber(String(day).slice(0, -'T00:00:00.000Z'.length))))

const COLLECT: Readonly<Record<Column['type'], () => Collected>> = {
  digest: collectDigests,
  word: () => collectCodes(word => word),
  number: () => collectCodes(number => number),
  day: collectDays,
}

/** The rows with the newest day first; rows of the same day in the order of the source. Rows without a day come last. */
function newestFirst(rows: number, { values, codeIn }: Coded): Uint32Array {
  const order = (code: number) => Number(values[code] ?? Number.NEGATIVE_INFINITY)
  const rankOf = new Uint32Array(values.length)
  const newest = [...values.keys()].sort((one, other) => order(other) - order(one))
  for (const [rank, code] of newest.entries()) rankOf[code] = rank
  const ranks = new Uint32Array(rows)
  for (let row = 0; row < rows; row++) ranks[row] = rankOf[codeIn(row)] as number
  return rowsByCode(ranks, startsOf(ranks, values.length))
}
