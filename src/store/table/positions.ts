import { type RawBuilder, sql } from 'kysely'
import { length, type RowRange } from './days.ts'
import type { KnownTables, TableEngine } from './engine.ts'
import { conditionsOf, inRange, inRowRange, type RowQuery } from './question.ts'
import { piecesOf } from './rollups/rollup-tables.ts'
import { skipTo } from './rollups/skipping.ts'
import type { WordCondition } from './words.ts'

/** A part of what is found. */
export interface Slice {
  readonly offset: number
  readonly limit: number
}

/**
 * To look at a row that an index has found costs as much as to walk past so many: rows of a word that is one of few lie
 * apart from each other; what is asked of those of other words, and of days, stands in their index.
 */
const LOOKUP_COST = 16
/** Rows lie unevenly, so one walks so much further than they would have to if they did not. */
const AHEAD = 2
const LEAST_STEP = 200
/** Where neither walking nor looking up is as cheap as this it pays to find out what can be skipped. */
const LONG_SCAN = 20_000

/**
 * The positions of a slice of the rows that meet a question, of which there are `total`, more than the offset. Where
 * many rows meet it they are walked in served order until enough are found; else all that meet it are looked up first.
 */
export async function positionsOf(
  engine: TableEngine,
  tables: KnownTables,
  newestFirstBy: string,
  question: RowQuery,
  total: number,
  slice: Slice,
): Promise<number[]> {
  const { stretch, words, ranges } = question
  if (words.length === 0 && ranges.length === 0) return positionsFrom(stretch, slice)
  const budget =
    words.length === 0 ? total : Math.min(...words.map(word => costOf(engine, tables, question, word)))
  const needed = Math.min(total, slice.offset + slice.limit)
  const step = Math.ceil((AHEAD * needed * length(stretch)) / total) + LEAST_STEP
  if (step > LONG_SCAN && budget > LONG_SCAN) {
    const skipped = await skipTo(engine, tables, newestFirstBy, question, slice)
    if (skipped !== undefined && length(skipped.stretch) <= budget)
      return scanRange(engine, question, skipped.stretch, skipped.slice)
  }
  const walkedTo = step > budget ? undefined : await scan(engine, question, slice, step, budget)
  return walkedTo ?? indexLookup(engine, question, slice)
}

/** What looking all rows of a word up costs, in rows walked past. */
function costOf(
  { inOrder }: TableEngine,
  tables: KnownTables,
  { words, ranges }: RowQuery,
  { column, rows }: WordCondition,
): number {
  const isAlone = words.length === 1 && ranges.length === 0
  const isInIndex = tables.has(piecesOf(column)) || (inOrder && isAlone)
  return isInIndex ? rows : rows * LOOKUP_COST
}

function positionsFrom({ first, last }: RowRange, { offset, limit }: Slice): number[] {
  const positions = { first: first + offset, last: Math.min(last, first + offset + limit - 1) }
  return Array.from({ length: length(positions) }, (_, index) => positions.first + index)
}

/** Walks in steps, each twice as long as the one before; undefined if it takes more rows than the budget. */
async function scan(
  engine: TableEngine,
  question: RowQuery,
  { offset, limit }: Slice,
  step: number,
  budget: number,
): Promise<number[] | undefined> {
  const { stretch } = question
  const found: number[] = []
  for (let first = stretch.first, width = step; first <= stretch.last; first += width, width *= 2) {
    if (first - stretch.first > budget) return undefined
    const part = { first, last: Math.min(stretch.last, first + width - 1) }
    const wanted = offset + limit - found.length
    found.push(...(await scanRange(engine, question, part, { offset: 0, limit: wanted })))
    if (found.length >= offset + limit) break
  }
  return found.slice(offset, offset + limit)
}

/** The condition on rows that are read one after another. With a sign before it no column is looked up by its index. */
export const matchesInRange = ({ words, ranges }: RowQuery, stretch: RowRange): RawBuilder<unknown> =>
  sql.join(
    [
      inRowRange(stretch),
      ...words.map(word => word.each(sql`+${sql.ref(`rows.${word.column}`)}`)),
      ...ranges.map(({ column, days }) => inRange(sql`+${sql.ref(`rows.${column}`)}`, days)),
    ],
    sql` and `,
  )

async function scanRange(
  engine: TableEngine,
  question: RowQuery,
  stretch: RowRange,
  { offset, limit }: Slice,
): Promise<number[]> {
  const { rows } = await sql<{ position: number }>`
    select position from ${engine.table('rows')} as rows where ${matchesInRange(question, stretch)}
    order by position limit ${limit} offset ${offset}`.execute(engine.database)
  return rows.map(({ position }) => position)
}

/** All rows by whatever index finds them best. With a sign before it the order is no reason to walk. */
async function indexLookup(
  engine: TableEngine,
  question: RowQuery,
  { offset, limit }: Slice,
): Promise<number[]> {
  const { rows } = await sql<{ position: number }>`
    select position from ${engine.table('rows')} where ${conditionsOf(engine, question)}
    order by +position limit ${limit} offset ${offset}`.execute(engine.database)
  return rows.map(({ position }) => position)
}
