import { type RawBuilder, sql } from 'kysely'
import type { Column, TableLayout } from '../../../query/layout.ts'
import type { StoredRecord } from '../../../query/query.ts'
import { CACHED_DAYS, dayNumber, dayTimestamp } from '../../../values/day-number.ts'
import { memoise } from '../../../values/memoise.ts'
import { fold } from '../../../values/text.ts'
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

/**
 * Returns a function that encodes records as JSON for columns of {@link declarations}. It throws RangeError for a day that does not
 * exist.
 */
export function recordEncoder({ columns }: TableLayout): (record: StoredRecord) => object {
  const days = memoise(
    (timestamp: string) => storedDay(timestamp.slice(0, -'T00:00:00.000Z'.length)),
    CACHED_DAYS,
  )
  return record => {
    const row: Record<string, unknown> = {}
    for (const { name, type } of columns) {
      const value = record[name]
      row[name] = value
      if (type === 'word') {
        row[name] = sortableText(value as string)
        row[foldedName(name)] = fold(value as string).toWellFormed()
      } else if (type === 'digest') row[name] = `\\x${value}`
      else if (type === 'day' && value !== null) row[name] = days(value as string)
    }
    return row
  }
}

/** A calendar date as the database writes it: the year before 1 is 1 BC. Throws RangeError for one that does not exist. */
export function storedDay(date: string): string {
  dayNumber(date)
  return date.startsWith('0000') ? `0001${date.slice(4)} BC` : date
}

/** The number of a day since 1970-01-01, which no setting of the server formats. */
export const dayOf = (date: RawBuilder<unknown>): RawBuilder<unknown> => sql`${date} - date '1970-01-01'`

/** The value of a column in a result. */
export const shown = ({ name, type }: Column): RawBuilder<unknown> =>
  type === 'day' ? dayOf(sql.ref(name)) : sql.ref(name)

/** Decodes a value that {@link shown} selects. */
export function shownValue(type: Column['type'], value: unknown): string | number | null {
  if (type === 'word') return textOf(value as string)
  if (type === 'digest') return (value as Buffer).toString('hex')
  return type === 'day' && value !== null ? dayTimestamp(value as number) : (value as number | null)
}
