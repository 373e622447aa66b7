import { setImmediate as nextTurn } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import { batchOf } from '../../query/batches.ts'
import type { StoredRecord } from '../../query/query.ts'
import type { RowBatch } from '../../query/result.ts'
import { readRow } from '../encoding/cells.ts'
import type { Column } from '../layout.ts'
import type { TableEngine } from './engine.ts'
import { matchesInRange } from './positions.ts'
import { inRowRange, length, type RowRange } from './ranges.ts'
import type { RowQuery } from './row-query.ts'

/** Few enough rows to read and render without delaying other requests. */
const BATCH = 400
/** Where few rows match, one statement scans up to this many times as many. */
const WIDEST = 16

/** Reads the records at these positions, in their order, with these columns. */
export async function recordsAt(
  engine: TableEngine,
  columns: readonly Column[],
  positions: ArrayLike<number>,
): Promise<StoredRecord[]> {
  if (positions.length === 0) return []
  const { rows } = await selectAt(engine, columns, positions).execute(engine.database)
  return arrange(columns, positions, rows)
}

const selectAt = (engine: TableEngine, columns: readonly Column[], positions: ArrayLike<number>) => sql<Row>`
  select ${POSITION}, ${shownColumns(engine, columns, 'rows')} from ${engine.table('rows')} as rows
  where ${amongPositions(engine, positions)} order by position`

/** The records of the rows in the order of the positions. */
function arrange(columns: readonly Column[], positions: ArrayLike<number>, rows: readonly Row[]) {
  const records = new Map(rows.map(row => [row.position, readRow({ columns }, row)]))
  return Array.from(positions, position => records.get(position) ?? {})
}

type Row = Readonly<Record<string, unknown>> & { readonly position: number }

const POSITION = sql.ref('rows.position')

/** Consecutive positions are read as a range of rows, which is faster. */
function amongPositions(engine: TableEngine, positions: ArrayLike<number>) {
  let rowRange: RowRange = { first: positions[0] ?? 1, last: positions[0] ?? 0 }
  for (let at = 1; at < positions.length; at++) {
    if (positions[at] !== rowRange.last + 1)
      return engine.among(sql.ref('position'), Array.from(positions).join(','))
    rowRange = { first: rowRange.first, last: rowRange.last + 1 }
  }
  return length(rowRange) > 0 ? inRowRange(rowRange) : sql<boolean>`false`
}

/** Each column of a table under its own name, with values in place of dictionary codes. */
export function shownColumns(
  engine: TableEngine,
  columns: readonly { readonly name: string; readonly type: string }[],
  table: string,
): RawBuilder<unknown> {
  return sql.join(
    columns.map(({ name, type }) => {
      const cell = sql.ref(`${table}.${name}`)
      return type === 'word'
        ? sql`(select value from ${engine.table(`words_${name}`)} where id = ${cell}) as ${sql.ref(name)}`
        : sql`${cell} as ${sql.ref(name)}`
    }),
  )
}

/** Streams at most this many matching rows from a position on, in served order, one range of positions at a time. */
export async function* streamFrom(
  engine: TableEngine,
  columns: readonly Column[],
  rowQuery: RowQuery,
  from: number,
  limit: number,
): AsyncGenerator<RowBatch> {
  let left = limit
  for (let [first, width] = [from, BATCH]; first <= rowQuery.rowRange.last && left > 0; ) {
    const range = { first, last: Math.min(rowQuery.rowRange.last, first + width - 1) }
    const { batch, last } = await readRange(engine, columns, rowQuery, range, Math.min(left, BATCH))
    left -= batch.length
    if (batch.length > 0) yield batch
    // A range that was not read to its end continues after the last row.
    first = batch.length === BATCH ? last + 1 : range.last + 1
    width = batch.length < BATCH / 2 ? Math.min(2 * width, BATCH * WIDEST) : BATCH
    // An embedded engine runs within this turn of the event loop; yield so that other requests get the next.
    await nextTurn()
  }
}

/** The rows as the driver has them are as large as the records: while a client does not read, only these are held. */
async function readRange(
  engine: TableEngine,
  columns: readonly Column[],
  rowQuery: RowQuery,
  range: RowRange,
  limit: number,
) {
  const { rows } = await sql<Row>`
    select ${POSITION}, ${shownColumns(engine, columns, 'rows')} from ${engine.table('rows')} as rows
    where ${matchesInRange(rowQuery, range)} order by position limit ${limit}`.execute(engine.database)
  return {
    batch: batchOf(rows.map(row => readRow({ columns }, row))),
    last: rows.at(-1)?.position ?? range.last,
  }
}

/** Streams the rows at these positions, in their order. */
export async function* streamAt(
  engine: TableEngine,
  columns: readonly Column[],
  positions: Int32Array,
): AsyncGenerator<RowBatch> {
  for (let start = 0; start < positions.length; start += BATCH) {
    // Not by recordsAt: the garbage collector keeps what its promise resolves to longer, which adds up in a long stream.
    const some = positions.subarray(start, start + BATCH)
    const { rows } = await selectAt(engine, columns, some).execute(engine.database)
    yield batchOf(arrange(columns, some, rows))
    await nextTurn()
  }
}
