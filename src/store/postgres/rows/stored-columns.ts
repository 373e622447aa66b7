import { type RawBuilder, sql } from 'kysely'
import type { Column, TableLayout } from '../../../query/layout.ts'
import type { StoredRecord } from '../../../query/query.ts'
import { CACHED_DAYS, dayNumber, dayTimestamp } from '../../../values/day-number.ts'
import { memoise } from '../../../values/memoise.ts'
import { fold } from '../../../values/text.ts'
import type { Cell } from '../write/copy-line.ts'
import { sortableText, textOf } from './sortable-text.ts'

/** The column with the folded text of a word, by which it is searched; no field can have this name. */
export const foldedName = (word: string): string => `${word}/folded`

const TYPES: Readonly<Record<Column['type'], string>> = {
  word: 'text collate "C" not null',
  day: 'date',
  number: 'double precision',
  digest: 'bytea not null',
}

/** The names of the columns that store a field. */
export const storedNames = ({ name, type }: Column): string[] =>
  type === 'word' ? [name, foldedName(name)] : [name]

/** The columns of a layout, declared as in `create table`. */
export const declarations = ({ columns }: TableLayout): string[] =>
  columns.flatMap(column => storedNames(column).map(name => `"${name}" ${TYPES[column.type]}`))

/** Returns a function that encodes records for {@link declarations}; it throws RangeError for a day that does not exist. */
export function recordEncoder({ columns }: TableLayout): (record: StoredRecord) => Cell[] {
  const days = memoise(
    (timestamp: string) => storedDay(timestamp.slice(0, -'T00:00:00.000Z'.length)),
    CACHED_DAYS,
  )
  function cellsOf(type: Column['type'], value: unknown): Cell[] {
    if (type === 'word') return [sortableText(value as string), fold(value as string)]
    if (value === null || type === 'number') return [value as number | null]
    return type === 'day' ? [days(value as string)] : [`\\x${value}`]
  }
  return record => columns.flatMap(({ name, type }) => cellsOf(type, record[name]))
}

/** A calendar date as the database writes it: the year before 1 is 1 BC. Throws RangeError for one that does not exist. */
export function storedDay(date: string): string {
  dayNumber(date)
  return date.startsWith('0000') ? `0001${date.slice(4)} BC` : date
}

/** The value of a column in a result. A day is its number, which no setting of the server formats. */
export const shown = ({ name, type }: Column): RawBuilder<unknown> =>
  type === 'day' ? sql`${sql.ref(name)} - date '1970-01-01'` : sql.ref(name)

/** Decodes a value that {@link shown} selects. */
export function shownValue(type: Column['type'], value: unknown): string | number | null {
  if (type === 'word') return textOf(value as string)
  if (type === 'digest') return (value as Buffer).toString('hex')
  return type === 'day' && value !== null ? dayTimestamp(value as number) : (value as number | null)
}
