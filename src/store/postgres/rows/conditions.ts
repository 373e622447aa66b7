import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { type Column, columnOf, isDigest, type TableLayout } from '../../../query/layout.ts'
import type { Filter, RangeFilter, WordsFilter } from '../../../query/query.ts'
import { wordsOf } from '../../../query/words.ts'
import { fold } from '../../../values/text.ts'
import { foldedName, storedDay } from './stored-columns.ts'

type Condition = RawBuilder<SqlBool>

const ALWAYS: Condition = sql`true`
const NEVER: Condition = sql`false`

/** The folded texts of a field; undefined if they are unknown. */
type TextsOf = (field: string) => readonly string[] | undefined

/** Looking for more whole texts takes longer than looking for a substring. */
const MOST_EQUAL = 1000

/** The condition of all filters together. Throws RangeError for a filter that does not fit its field. */
export function conditionOf(
  layout: TableLayout,
  filters: readonly Filter[],
  textsOf: TextsOf = () => undefined,
): Condition {
  const lists = new Map<string, Condition | undefined>()
  for (const filter of filters)
    if ('contains' in filter) lists.set(filter.field, wholeTexts(layout, filter.field, filters, textsOf))
  const others = filters.flatMap(filter => {
    if ('words' in filter) return wordsIn(layout, filter)
    const isListed = lists.get(filter.field) !== undefined && textTest(layout, filter) !== undefined
    return isListed ? [] : [one(columnOf(layout, filter.field), filter)]
  })
  return sql`${sql.join([ALWAYS, ...[...lists.values()].flatMap(list => list ?? []), ...others], sql` and `)}`
}

function one({ name, type }: Column, filter: Exclude<Filter, WordsFilter>): Condition {
  const cell = sql.ref(name)
  if ('contains' in filter) {
    if (type === 'word') return contains(name, fold(filter.contains))
  } else if ('equals' in filter) {
    const { equals } = filter
    const text = fold(String(equals))
    if (type === 'word' && Array.isArray(equals)) return anyOf(name, equals.map(fold))
    if (type === 'word') return sql`${sql.ref(foldedName(name))} = ${text}`
    if (type === 'digest') return isDigest(text) ? sql`${cell} = ${Buffer.from(text, 'hex')}` : NEVER
    if (type === 'number') return typeof equals === 'number' ? sql`${cell} = ${equals}` : NEVER
  } else {
    // Null lies in no range, not even in one without ends.
    const { from, to } = filter
    if (type === 'day')
      return sql`${cell} between ${dayOr('-infinity', from)}::date and ${dayOr('infinity', to)}::date`
    if (type === 'number') return sql`${cell} between ${from ?? '-infinity'} and ${to ?? 'infinity'}`
  }
  throw new RangeError(`"${name}" cannot be filtered like that`)
}

/** Tests a folded text in memory against a filter on texts; undefined for other filters. */
export function textTest(
  layout: TableLayout,
  filter: Filter,
): { field: string; holds: (folded: string) => boolean } | undefined {
  if ('words' in filter || columnOf(layout, filter.field).type !== 'word') return undefined
  const { field } = filter
  if ('contains' in filter) {
    const part = fold(filter.contains)
    return { field, holds: folded => folded.includes(part) }
  }
  if (!('equals' in filter)) return undefined
  const whole = [filter.equals].flat().map(text => fold(String(text)))
  return { field, holds: folded => whole.includes(folded) }
}

/** One condition for each word: at least one of the fields contains the word. */
function wordsIn(layout: TableLayout, { words, fields }: WordsFilter): Condition[] {
  const columns = fields.map(field => columnOf(layout, field))
  const wrong = columns.find(({ type }) => type !== 'word')
  if (wrong !== undefined) throw new RangeError(`"${wrong.name}" has no words`)
  return wordsOf(words).map(word => {
    const inFields = columns.map(({ name }) => contains(name, word))
    return sql`(${sql.join([NEVER, ...inFields], sql` or `)})`
  })
}

/**
 * Lists the whole texts that pass every filter on a field. A B-tree counts their rows without reading a row; a trigram index
 * only says which rows to read. Two lists would be slow, because PostgreSQL looks up every pair: 400 s for 600 and 800 texts.
 */
function wholeTexts(
  layout: TableLayout,
  field: string,
  filters: readonly Filter[],
  textsOf: TextsOf,
): Condition | undefined {
  const tests = filters.flatMap(filter => textTest(layout, filter) ?? []).filter(test => test.field === field)
  const whole =
    tests.length === 0 ? undefined : textsOf(field)?.filter(text => tests.every(({ holds }) => holds(text)))
  if (whole === undefined || whole.length > MOST_EQUAL) return undefined
  return anyOf(field, whole)
}

const anyOf = (name: string, folded: readonly string[]): Condition =>
  sql`${sql.ref(foldedName(name))} = any(${folded}::text[])`

/** A substring test with `like`, which a trigram index supports. */
const contains = (name: string, folded: string): Condition =>
  sql`${sql.ref(foldedName(name))} like ${`%${folded.replace(/[\\%_]/g, '\\$&')}%`}`

const dayOr = (open: string, end: RangeFilter['from']): string =>
  end === undefined ? open : storedDay(String(end))
