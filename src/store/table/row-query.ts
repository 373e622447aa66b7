import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Filter, WordsFilter } from '../../query/query.ts'
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
import { digestCondition, type WordCondition, wordConditions } from './words.ts'

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
  const lookups: (() => Promise<readonly WordCondition[]>)[] = []
  const days = new Map<string, Days>()
  for (const filter of filters) {
    if ('words' in filter) {
      for (const field of filter.fields) requireWords(columnOf(layout, field))
      lookups.push(() => wordConditions(table, filter))
      continue
    }
    const column = columnOf(layout, filter.field)
    const range = rangeOf(column, filter)
    if (range !== undefined) days.set(column.name, bothDays(days.get(column.name) ?? range, range))
    else if (column.type === 'digest' && 'equals' in filter)
      lookups.push(async () => [await digestCondition(table, filter)])
    else {
      requireWords(column)
      if (!('contains' in filter || 'equals' in filter)) throw unsupported(column)
      lookups.push(() => wordConditions(table, filter))
    }
  }
  const ranges = [...days].map(([column, days]): Range => ({ column, days }))
  const ordered = ranges.find(({ column }) => column === layout.newestFirstBy)
  const whole = { first: 1, last: rows }
  const nothing = ranges.some(({ days: { from, to } }) => from > to)

  const words: WordCondition[] = []
  let isMet = !nothing
  for (const lookUp of lookups) {
    if (!isMet) break
    words.push(...(await lookUp()))
    isMet = words.every(condition => condition.rows > 0)
  }
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

function requireWords(column: Column): void {
  if (column.type !== 'word') throw unsupported(column)
}

const unsupported = ({ name }: Column) => new RangeError(`column "${name}" cannot be filtered like that`)

/** The range that a filter selects; undefined if it is no filter on days or numbers. */
function rangeOf({ type }: Column, filter: Exclude<Filter, WordsFilter>): Days | undefined {
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
      if (!guesses || word.rows === fewest) return word.of(column => sql.ref(column))
      // The unary plus keeps the engine from using the column's index.
      return word.each(column => sql`+${sql.ref(`rows.${column}`)}`)
    }),
    ...ranges.map(({ column, days }) => inRange(sql.ref(column), days)),
  ]
  const all = isWhole ? conditions : [...conditions, inRowRange(rowRange)]
  return all.length === 0 ? sql`true` : sql.join(all, sql` and `)
}
