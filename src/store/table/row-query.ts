import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Filter } from '../../query/query.ts'
import type { Column, TableLayout } from '../layout.ts'
import {
  bothDays,
  type Days,
  daysOfFilter,
  length,
  type RowRange,
  rowRangeByRows,
  rowRangesOf,
} from './days.ts'
import type { KnownTables, TableEngine } from './engine.ts'
import { daysOf } from './rollups/rollup-tables.ts'
import { type WordCondition, type WordFilter, wordCondition } from './words.ts'

/** A resolved query: the rows of a row range that meet every condition. */
export interface RowQuery {
  readonly rowRange: RowRange
  /** The days of the row range, if the query filters on the ordering day. */
  readonly ordered: Range | undefined
  readonly words: readonly WordCondition[]
  /** Ranges on other columns. */
  readonly ranges: readonly Range[]
  /** No row matches. */
  readonly isEmpty: boolean
  /** The row range includes all rows. */
  readonly isWhole: boolean
}

/** A range of days or numbers in a column. */
export interface Range {
  readonly column: string
  readonly days: Days
}

/** Returns a column of the layout. Throws RangeError if there is none of that name. */
export function columnOf({ columns }: TableLayout, name: string): Column {
  const column = columns.find(candidate => candidate.name === name)
  if (column === undefined) throw new RangeError(`there is no column "${name}"`)
  return column
}

/**
 * Resolves filters for a release with this number of rows. Throws RangeError for a filter that does not fit its
 * column's type.
 */
export async function resolveQuery(
  engine: TableEngine,
  tables: KnownTables,
  layout: TableLayout,
  rows: number,
  filters: readonly Filter[],
): Promise<RowQuery> {
  const wordFilters: WordFilter[] = []
  const days = new Map<string, Days>()
  for (const filter of filters) {
    const column = columnOf(layout, filter.field)
    const asked = rangeOf(column, filter)
    if (asked !== undefined) days.set(column.name, bothDays(days.get(column.name) ?? asked, asked))
    else if (column.type === 'word' && ('contains' in filter || 'equals' in filter)) wordFilters.push(filter)
    else throw new RangeError(`column "${column.name}" cannot be asked that`)
  }
  const ranges = [...days].map(([column, days]): Range => ({ column, days }))
  const ordered = ranges.find(({ column }) => column === layout.newestFirstBy)
  const whole = { first: 1, last: rows }
  const nothing = ranges.some(({ days: { from, to } }) => from > to)

  const words: WordCondition[] = []
  for (const filter of nothing ? [] : wordFilters) {
    const condition = await wordCondition(engine, tables, filter)
    if (condition !== undefined && condition.rows < rows) words.push(condition)
    if (condition?.rows === 0) break
  }
  const isMet = !nothing && words.every(condition => condition.rows > 0)
  const rowRange = ordered === undefined || !isMet ? whole : await rowRangeOf(engine, tables, ordered)
  return {
    ...{ rowRange, ordered, words },
    ranges: ranges.filter(range => range !== ordered),
    isEmpty: !isMet || length(rowRange) === 0,
    isWhole: length(rowRange) >= rows,
  }
}

/** The range that a filter selects; undefined if it is no filter on days or numbers. */
function rangeOf({ type }: Column, filter: Filter): Days | undefined {
  if (type === 'number' && 'equals' in filter) {
    const { equals } = filter
    return typeof equals === 'number' ? { from: equals, to: equals } : { from: 1, to: 0 }
  }
  if ('contains' in filter || 'equals' in filter) return undefined
  if (type === 'day') return daysOfFilter(filter)
  const { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY } = filter
  return type === 'number' ? { from: Number(from), to: Number(to) } : undefined
}

async function rowRangeOf(engine: TableEngine, tables: KnownTables, { column, days }: Range) {
  if (!tables.has(daysOf(column))) return rowRangeByRows(engine, column, days)
  const [rowRange] = await rowRangesOf(engine, column, [days])
  return rowRange ?? { first: 1, last: 0 }
}

/** All conditions on a row, for a statement whose access path the engine chooses. */
export function conditionsOf(
  { guesses }: TableEngine,
  { rowRange, isWhole, words, ranges }: RowQuery,
): RawBuilder<SqlBool> {
  const fewest = Math.min(...words.map(word => word.rows))
  const conditions = [
    ...words.map(word => {
      if (!guesses || word.rows === fewest) return word.of(sql.ref(word.column))
      // The unary plus keeps the engine from using the column's index.
      return word.each(sql`+${sql.ref(`rows.${word.column}`)}`)
    }),
    ...ranges.map(({ column, days }) => inRange(sql.ref(column), days)),
  ]
  const all = isWhole ? conditions : [...conditions, inRowRange(rowRange)]
  return all.length === 0 ? sql`true` : sql.join(all, sql` and `)
}

export const inRange = (day: RawBuilder<unknown>, { from, to }: Days): RawBuilder<SqlBool> =>
  sql`${day} between ${from} and ${to}`

export const inRowRange = ({ first, last }: RowRange): RawBuilder<SqlBool> =>
  sql`position between ${first} and ${last}`
