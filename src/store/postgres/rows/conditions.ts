import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { type Column, columnOf, type TableLayout } from '../../../query/layout.ts'
import type { Filter, RangeFilter, WordsFilter } from '../../../query/query.ts'
import { wordsOf } from '../../../query/words.ts'
import { fold } from '../../../values/text.ts'
import { foldedName, storedDay } from './stored-columns.ts'

export type Condition = RawBuilder<SqlBool>

/** The conditions of filters, without those that every row meets. Throws RangeError for a filter that does not fit its field. */
export const conditionsOf = (layout: TableLayout, filters: readonly Filter[]): Condition[] =>
  filters.flatMap(filter =>
    'words' in filter ? wordsIn(layout, filter) : one(columnOf(layout, filter.field), filter),
  )

/** The clause `where` of conditions; empty without conditions. */
export const where = (conditions: readonly Condition[]): RawBuilder<unknown> =>
  conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`

const NEVER: Condition = sql<SqlBool>`false`

function one(column: Column, filter: Exclude<Filter, WordsFilter>): Condition[] {
  const { name, type } = column
  if ('contains' in filter && type === 'word') return contains(name, fold(filter.contains))
  if ('equals' in filter && type === 'word')
    return [sql`${sql.ref(foldedName(name))} = ${fold(String(filter.equals))}`]
  if ('equals' in filter && type === 'digest') return [equalsDigest(name, fold(String(filter.equals)))]
  if ('equals' in filter && type === 'number')
    return [typeof filter.equals === 'number' ? sql`${sql.ref(name)} = ${filter.equals}` : NEVER]
  if (!('contains' in filter || 'equals' in filter)) {
    if (type === 'day') return between(name, filter, end => sql`${storedDay(String(end))}::date`)
    if (type === 'number') return between(name, filter, end => sql`${Number(end)}`)
  }
  throw new RangeError(`"${name}" cannot be filtered like that`)
}

/** One condition a word: that one of the fields contains it. */
function wordsIn(layout: TableLayout, { words, fields }: WordsFilter): Condition[] {
  const names = fields.map(field => {
    const { name, type } = columnOf(layout, field)
    if (type !== 'word') throw new RangeError(`"${name}" has no words`)
    return name
  })
  return wordsOf(words).map(word => {
    const inOne = names.flatMap(name => contains(name, word))
    return inOne.length === 0 ? NEVER : sql<SqlBool>`(${sql.join(inOne, sql` or `)})`
  })
}

/** A trigram index finds what `like` looks for. Every text contains none. */
const contains = (name: string, folded: string): Condition[] =>
  folded === '' ? [] : [sql`${sql.ref(foldedName(name))} like ${`%${folded.replace(/[\\%_]/g, '\\$&')}%`}`]

const equalsDigest = (name: string, digits: string): Condition =>
  /^[0-9a-f]{64}$/.test(digits) ? sql`${sql.ref(name)} = ${Buffer.from(digits, 'hex')}` : NEVER

/** Null lies in no range, not even in one without ends. */
function between(
  name: string,
  { from, to }: RangeFilter,
  stored: (end: number | string) => RawBuilder<unknown>,
): Condition[] {
  const cell = sql.ref(name)
  const ends = [
    ...(from === undefined ? [] : [sql<SqlBool>`${cell} >= ${stored(from)}`]),
    ...(to === undefined ? [] : [sql<SqlBool>`${cell} <= ${stored(to)}`]),
  ]
  return ends.length === 0 ? [sql`${cell} is not null`] : ends
}
