import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { type Days, rowRangesOf } from '../days.ts'
import type { KnownTables, TableEngine } from '../engine.ts'
import { inRange, inRowRange, type Range, type RowQuery } from '../row-query.ts'
import type { WordCondition } from '../words.ts'
import {
  COMBINED,
  COMBINED_ALL,
  COUNT_COLUMN,
  firstDayOf,
  pieceOf,
  SPAN,
  spanFrom,
  spansOf,
  spanUntil,
} from './rollup-tables.ts'

/**
 * The rollup rows that match a query, to select from: its columns, `columns` and {@link COUNT_COLUMN}. Undefined if the
 * release has no rollup for it.
 */
export async function countedRows(
  engine: TableEngine,
  tables: KnownTables,
  rowQuery: RowQuery,
  columns: readonly string[] = [],
): Promise<RawBuilder<unknown> | undefined> {
  const { isWhole, words, ranges } = rowQuery
  const wanted = [...new Set([...words.map(word => word.column), ...columns])]
  const conditions = words.map(word => word.of(sql.ref(word.column)))
  if (isWhole && ranges.length === 0) {
    const table = tableWith(tables, [COMBINED, COMBINED_ALL], wanted)
    if (table === undefined) return undefined
    return sql`${engine.table(table)}${where([...inPieces(engine, tables.get(table), words), ...conditions])}`
  }
  const range = onlyRange(rowQuery)
  if (range === undefined) return undefined
  const spans = tableWith(tables, spansTables(range.column, wanted), wanted)
  if (spans === undefined) return undefined
  return sql`(${await countedInRange(engine, spans, wanted, rowQuery, range)}) as counted${where(conditions)}`
}

const where = (conditions: readonly RawBuilder<SqlBool>[]): RawBuilder<unknown> =>
  conditions.length > 0 ? sql` where ${sql.join(conditions, sql` and `)}` : sql``

/** Entries are clustered by these dictionary blocks, which are fewer than the values. */
const inPieces = (
  engine: TableEngine,
  columns: ReadonlySet<string> | undefined,
  words: readonly WordCondition[],
): RawBuilder<SqlBool>[] =>
  words.flatMap(({ column, pieces }) =>
    pieces !== undefined && columns?.has(pieceOf(column))
      ? [engine.among(sql.ref(pieceOf(column)), pieces)]
      : [],
  )

/** The tables that may have these columns by spans of days, smallest first. */
export const spansTables = (day: string, words: readonly string[]): string[] => [
  ...(words.length === 1 ? [spansOf(day, words[0])] : []),
  spansOf(day),
]

/** The first table that has all columns. */
export const tableWith = (
  tables: KnownTables,
  names: readonly string[],
  columns: readonly string[],
): string | undefined => names.find(name => columns.every(column => tables.get(name)?.has(column)))

/** The range of a query that has exactly one. */
export function onlyRange({ ordered, ranges }: RowQuery): Range | undefined {
  const [range, another] = ordered === undefined ? ranges : [ordered, ...ranges]
  return another === undefined ? range : undefined
}

/** Reads whole spans from the rollup, and counts rows only for the days at both ends. */
async function countedInRange(
  engine: TableEngine,
  spans: string,
  words: readonly string[],
  { ordered }: RowQuery,
  range: Range,
): Promise<RawBuilder<unknown>> {
  const { first, last, ends } = partsOf(range.days)
  const atEnds: RawBuilder<SqlBool>[] =
    range === ordered
      ? (await rowRangesOf(engine, range.column, ends)).map(inRowRange)
      : ends.map(days => inRange(sql.ref(range.column), days))
  const names = sql.join(words.map(word => sql.ref(word)))
  const counted = atEnds.map(
    met => sql`select ${names}, count(*) from ${engine.table('rows')} where ${met} group by ${names}`,
  )
  const read = sql`
    select ${names}, ${sql.ref(COUNT_COLUMN)} from ${engine.table(spans)} where ${sql.ref(SPAN)} between ${first} and ${last}`
  return sql.join([read, ...counted], sql` union all `)
}

/** The whole spans of a range, and the days before and after them. */
function partsOf({ from, to }: Days): { first: number; last: number; ends: readonly [Days, Days] } {
  const [first, last] = [spanFrom(from), spanUntil(to)]
  if (first > last) return { first, last, ends: [{ from, to }, NO_DAYS] }
  return {
    ...{ first, last },
    ends: [
      { from, to: firstDayOf(first) - 1 },
      { from: firstDayOf(last + 1), to },
    ],
  }
}

const NO_DAYS: Days = { from: 1, to: 0 }
