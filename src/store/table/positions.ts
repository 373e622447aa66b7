import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { StoredTable, TableEngine } from './engine.ts'
import { inRange, inRowRange, length, type RowRange } from './ranges.ts'
import { conditionsOf, type RowQuery } from './row-query.ts'
import type { WordCondition } from './words.ts'

/** A page of the matching rows. */
export interface Slice {
  readonly offset: number
  readonly limit: number
}

/**
 * The cost of reading a row that an index found, in rows of a scan: rows with a low-cardinality value lie far apart.
 * Indexes on days and on high-cardinality columns hold the other columns too, so such rows need no read.
 */
const LOOKUP_COST = 16
/** Matching rows are spread unevenly, so a scan plans for this multiple of the expected distance. */
const AHEAD = 2
const LEAST_STEP = 200
/** Where both the scan and the index lookup cost more than this, spans are read first to skip part of the scan. */
const LONG_SCAN = 20_000

/**
 * The positions of a slice of the `total` rows that match a query, where `total` exceeds the offset. Where many rows
 * match, a scan in served order stops once it has found enough; else an index finds all matching rows first.
 */
export async function positionsOf(
  table: StoredTable,
  rowQuery: RowQuery,
  total: number,
  slice: Slice,
): Promise<number[]> {
  const { engine, rollups } = table
  const { rowRange, words, ranges } = rowQuery
  if (words.length === 0 && ranges.length === 0) return positionsFrom(rowRange, slice)
  const budget = words.length === 0 ? total : Math.min(...words.map(word => costOf(table, rowQuery, word)))
  const needed = Math.min(total, slice.offset + slice.limit)
  const step = Math.ceil((AHEAD * needed * length(rowRange)) / total) + LEAST_STEP
  if (step > LONG_SCAN && budget > LONG_SCAN) {
    const narrowed = await rollups.narrow(rowQuery, slice)
    if (narrowed !== undefined && length(narrowed.rowRange) <= budget)
      return scanRange(engine, rowQuery, narrowed.rowRange, narrowed.slice)
  }
  const scanned = step > budget ? undefined : await scan(engine, rowQuery, slice, step, budget)
  return scanned ?? indexLookup(engine, rowQuery, slice)
}

/** The cost of looking up all rows with a value, in rows of a scan. */
function costOf(
  { engine, rollups }: StoredTable,
  { words, ranges }: RowQuery,
  { columns, rows }: WordCondition,
): number {
  const isAlone = words.length === 1 && columns.length === 1 && ranges.length === 0
  const isInIndex = columns.every(column => rollups.hasBlocks(column)) || (engine.inOrder && isAlone)
  return isInIndex ? rows : rows * LOOKUP_COST
}

function positionsFrom({ first, last }: RowRange, { offset, limit }: Slice): number[] {
  const positions = { first: first + offset, last: Math.min(last, first + offset + limit - 1) }
  return Array.from({ length: length(positions) }, (_, index) => positions.first + index)
}

/** Scans in steps that double in length; undefined if the scan exceeds the budget of rows. */
async function scan(
  engine: TableEngine,
  rowQuery: RowQuery,
  { offset, limit }: Slice,
  step: number,
  budget: number,
): Promise<number[] | undefined> {
  const { rowRange } = rowQuery
  const found: number[] = []
  for (let first = rowRange.first, width = step; first <= rowRange.last; first += width, width *= 2) {
    if (first - rowRange.first > budget) return undefined
    const part = { first, last: Math.min(rowRange.last, first + width - 1) }
    const wanted = offset + limit - found.length
    found.push(...(await scanRange(engine, rowQuery, part, { offset: 0, limit: wanted })))
    if (found.length >= offset + limit) break
  }
  return found.slice(offset, offset + limit)
}

/** The condition on rows of a scan. The unary plus keeps the engine from using a column's index. */
export const matchesInRange = ({ words, ranges }: RowQuery, rowRange: RowRange): RawBuilder<SqlBool> =>
  sql.join<SqlBool>(
    [
      inRowRange(rowRange),
      ...words.map(word => word.each(column => sql`+${sql.ref(`rows.${column}`)}`)),
      ...ranges.map(({ column, days }) => inRange(sql`+${sql.ref(`rows.${column}`)}`, days)),
    ],
    sql` and `,
  )

async function scanRange(
  engine: TableEngine,
  rowQuery: RowQuery,
  rowRange: RowRange,
  { offset, limit }: Slice,
): Promise<number[]> {
  const { rows } = await sql<{ position: number }>`
    select position from ${engine.table('rows')} as rows where ${matchesInRange(rowQuery, rowRange)}
    order by position limit ${limit} offset ${offset}`.execute(engine.database)
  return rows.map(({ position }) => position)
}

/** Finds all rows by the index that the engine prefers. The unary plus keeps it from scanning in position order instead. */
async function indexLookup(
  engine: TableEngine,
  rowQuery: RowQuery,
  { offset, limit }: Slice,
): Promise<number[]> {
  const { rows } = await sql<{ position: number }>`
    select position from ${engine.table('rows')} where ${conditionsOf(engine, rowQuery)}
    order by +position limit ${limit} offset ${offset}`.execute(engine.database)
  return rows.map(({ position }) => position)
}
