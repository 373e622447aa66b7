import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Filter } from '../../query/query.ts'
import type { Column, TableLayout } from '../layout.ts'
import type { StoredTable, TableEngine } from './engine.ts'
import {
  bothDays,
  type Days,
  daysOfFilter,
  findRowRange,
  inRange,
  inRowRange,
  length,
  type RowRange,
} from './ranges.ts'
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
 * Resolves the filters of a query. Throws RangeError for one that does not fit its column's type.
 */
export async function resolveQuery(table: StoredTable, filters: readonly Filter[]): Promise<RowQuery> {
  const { engine, layout, rows, rollups } = table
  const wordFilters: WordFilter[] = []
  const days = new Map<string, Days>()
  for (const filter of filters) {
    const column = columnOf(layout, filter.field)
    const range = rangeOf(column, filter)
    if (range !== undefined) days.set(column.name, bothDays(days.get(column.name) ?? range, range))
    else if (column.type === 'word' && ('contains' in filter || 'equals' in filter)) wordFilters.push(filter)
    else throw new RangeError(`column "${column.name}" cannot be filtered like that`)
  }
  const ranges = [...days].map(([column, days]): Range => ({ column, days }))
  const ordered = ranges.find(({ column }) => column === layout.newestFirstBy)
  const whole = { first: 1, last: rows }
  const nothing = ranges.some(({ days: { from, to } }) => from > to)

  const words: WordCondition[] = []
  for (const filter of nothing ? [] : wordFilters) {
    const condition = await wordCondition(table, filter)
    if (condition !== undefined && condition.rows < rows) words.push(condition)
    if (condition?.rows === 0) break
  }
  const isMet = !nothing && words.every(condition => condition.rows > 0)
  const rowRange =
    ordered === undefined || !isMet
      ? whole
      : ((await rollups.rowRangeOf(ordered.days)) ??
        (await findRowRange(engine, ordered.column, ordered.days)))
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

/** The range of a query that has exactly one. */
export function onlyRange({ ordered, ranges }: RowQuery): Range | undefined {
  const [range, another] = ordered === undefined ? ranges : [ordered, ...ranges]
  return another === undefined ? range : undefined
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
