import { type QueryExecutorProvider, type RawBuilder, sql } from 'kysely'
import { batchOf } from '../../../query/batches.ts'
import type { Column, TableLayout } from '../../../query/layout.ts'
import type { StoredRecord } from '../../../query/query.ts'
import type { RowBatch } from '../../../query/result.ts'
import { releaseTables } from '../write/release-tables.ts'
import { type Condition, where } from './conditions.ts'
import { shown, shownValue } from './stored-columns.ts'

/** The rows of one release. */
export interface StoredRows {
  readonly database: QueryExecutorProvider
  readonly table: RawBuilder<unknown>
}

export const storedRows = (database: QueryExecutorProvider, schema: string, id: string): StoredRows => ({
  database,
  table: releaseTables(schema, id).table('rows'),
})

/** Consecutive positions. */
interface PositionRange {
  readonly first: number
  readonly last: number
}

type Row = Readonly<Record<string, unknown>> & { readonly position: number }

/** Few enough rows to read and render without delaying other requests. */
const BATCH = 400
/** Where few rows match, one statement looks through up to this many times as many. */
const WIDEST = 16

/** All records in served order. */
export async function* records(
  database: QueryExecutorProvider,
  schema: string,
  id: string,
  { columns }: TableLayout,
): AsyncGenerator<StoredRecord> {
  const rows = storedRows(database, schema, id)
  for (let first = 1; ; first += BATCH) {
    const batch = await recordsIn(rows, columns, { first, last: first + BATCH - 1 })
    if (batch.length === 0) return
    yield* batch
  }
}

/** The records at consecutive positions. */
export async function recordsIn(
  rows: StoredRows,
  columns: readonly Column[],
  range: PositionRange,
): Promise<StoredRecord[]> {
  const found = await select(rows, columns, [inRange(range)])
  return found.map(row => recordOf(columns, row))
}

/** The records at these positions, in their order. */
export async function recordsAt(
  rows: StoredRows,
  columns: readonly Column[],
  positions: readonly number[],
): Promise<StoredRecord[]> {
  if (positions.length === 0) return []
  const found = await select(rows, columns, [sql`position = any(${positions}::bigint[])`])
  const byPosition = new Map(found.map(row => [row.position, recordOf(columns, row)]))
  return positions.map(position => byPosition.get(position) ?? {})
}

/** Streams the records at these positions, in their order. */
export async function* streamAt(
  rows: StoredRows,
  columns: readonly Column[],
  positions: readonly number[],
): AsyncGenerator<RowBatch> {
  for (let start = 0; start < positions.length; start += BATCH)
    yield batchOf(await recordsAt(rows, columns, positions.slice(start, start + BATCH)))
}

/** Streams the first matching records at consecutive positions, a range of positions at a time. */
export async function* streamIn(
  rows: StoredRows,
  columns: readonly Column[],
  conditions: readonly Condition[],
  range: PositionRange,
  limit: number,
): AsyncGenerator<RowBatch> {
  for (let [first, left, width] = [range.first, limit, BATCH]; left > 0 && first <= range.last; ) {
    const last = Math.min(range.last, first + width - 1)
    const found = await select(
      rows,
      columns,
      [inRange({ first, last }), ...conditions],
      Math.min(left, BATCH),
    )
    left -= found.length
    // A range that was not read to its end continues after the last row.
    first = (found.length === BATCH ? Number(found.at(-1)?.position) : last) + 1
    width = found.length < BATCH / 2 ? Math.min(2 * width, BATCH * WIDEST) : BATCH
    if (found.length > 0) yield batchOf(found.map(row => recordOf(columns, row)))
  }
}

async function select(
  { database, table }: StoredRows,
  columns: readonly Column[],
  conditions: readonly Condition[],
  limit?: number,
): Promise<readonly Row[]> {
  const cells = columns.map(column => sql`${shown(column)} as ${sql.ref(column.name)}`)
  const { rows } = await sql<Row>`
    select ${sql.join([sql.ref('position'), ...cells])} from ${table} ${where(conditions)}
    order by position ${limit === undefined ? sql`` : sql`limit ${limit}`}`.execute(database)
  return rows
}

const inRange = ({ first, last }: PositionRange): Condition => sql`position between ${first} and ${last}`

function recordOf(columns: readonly Column[], row: Row): StoredRecord {
  const record: Record<string, unknown> = {}
  for (const { name, type } of columns) record[name] = shownValue(type, row[name])
  return record
}
