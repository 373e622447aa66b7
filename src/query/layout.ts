import { CACHED_DAYS, dayTimestamp } from '../values/day-number.ts'
import { memoise } from '../values/memoise.ts'
import { DAY_MS } from '../values/time-units.ts'
import { isObject } from '../values/values.ts'
import { type Field, type FieldKeywords, fieldsOf } from './fields.ts'
import type { StoredRecord } from './query.ts'

/**
 * How a release stores the records of a dataset. `documents` holds each record whole, for lists that are served whole;
 * `table` has one column a field, for datasets that are filtered, paged and counted.
 */
export type Layout = { readonly kind: 'documents' } | TableLayout

/** A dataset of many flat records. Columns have the names of the record's fields, in the record's order. */
export interface TableLayout {
  readonly kind: 'table'
  readonly columns: readonly Column[]
  /** Rows are served newest first by this `day` column; rows without the day last; ties in the order of the source. */
  readonly newestFirstBy: string
}

/**
 * `word`: a text, searched as `fold` says. `day`: a calendar date, in records an ISO timestamp at midnight UTC or null.
 * `number`: a finite number or null. `digest`: SHA-256 as 64 lower-case hexadecimal digits.
 */
export interface Column {
  readonly name: string
  readonly type: 'word' | 'day' | 'number' | 'digest'
}

/** Returns the column of a field. Throws RangeError if no column has this name. */
export function columnOf({ columns }: Pick<TableLayout, 'columns'>, name: string): Column {
  const column = columns.find(candidate => candidate.name === name)
  if (column === undefined) throw new RangeError(`there is no field "${name}"`)
  return column
}

/**
 * Throws RangeError for a layout that no store could keep. Names become part of statements, so they must be plain; they come
 * from dataset declarations, never from users.
 */
export function checkLayout({ columns, newestFirstBy }: TableLayout): void {
  const folded = new Set(columns.map(({ name }) => name.toLowerCase()))
  const plain = columns.every(({ name }) => /^[A-Za-z][A-Za-z0-9]{0,39}$/.test(name))
  if (!plain || folded.size !== columns.length || RESERVED.some(name => folded.has(name)))
    throw new RangeError(
      `columns need distinct names of 40 letters and digits at most, other than ${RESERVED.join(', ')}`,
    )
  if (columns.find(({ name }) => name === newestFirstBy)?.type !== 'day')
    throw new RangeError(`"${newestFirstBy}" is not a column of days`)
}

const RESERVED = ['position', 'key', 'digest']

/** Returns a function that throws TypeError for a record that the layout could not give back unchanged. */
export function recordCheck({ columns }: TableLayout): (record: StoredRecord) => void {
  const checks = columns.map(column => ({ ...column, fits: FITS[column.type] }))
  return record => {
    if (Object.keys(record).length !== columns.length)
      throw new TypeError(`the record's fields are not the columns: ${Object.keys(record).join(', ')}`)
    for (const { name, type, fits } of checks)
      if (!fits(record[name]))
        throw new TypeError(`column "${name}" (${type}) cannot keep ${JSON.stringify(record[name])}`)
  }
}

/** Whether a text is a SHA-256 in the form that a `digest` column stores. */
export const isDigest = (text: string): boolean => text.length === 64 && !/[^0-9a-f]/.test(text)

/** Whether a text is midnight UTC of a day, in a year of four digits. */
const isDay = memoise((timestamp: string) => {
  const days = Date.parse(timestamp) / DAY_MS
  return /^\d/.test(timestamp) && Number.isInteger(days) && dayTimestamp(days) === timestamp
}, CACHED_DAYS)

const FITS: Readonly<Record<Column['type'], (value: unknown) => boolean>> = {
  word: value => typeof value === 'string',
  number: value => value === null || Number.isFinite(value),
  digest: value => typeof value === 'string' && isDigest(value),
  day: value => value === null || (typeof value === 'string' && isDay(value)),
}

/** A column of records as a flat table: a field, or a member of an object, named by its path (`owner.name`). */
export interface FlatColumn extends Pick<Field, 'name' | 'kind' | 'isInteger'> {
  /** The names of the field and of the members inside it. */
  readonly path: readonly string[]
  readonly schema: FieldKeywords
  /** Whether a record may lack this value, or the object that holds it. */
  readonly isNullable: boolean
  read(record: StoredRecord): unknown
}

/** The columns of a schema's records, in the schema's order. An object becomes one column for each of its members. */
export function flatColumnsOf({ properties = {}, required = [] }: FieldKeywords): FlatColumn[] {
  return fieldsOf({ properties }).flatMap(({ name, kind, isInteger }): FlatColumn[] => {
    const schema: FieldKeywords = properties[name] ?? {}
    const isNullable = !required.includes(name) || [schema.type].flat().includes('null')
    if (schema.properties === undefined)
      return [{ name, path: [name], kind, isInteger, schema, isNullable, read: record => record[name] }]
    return flatColumnsOf(schema).map(member => ({
      ...member,
      name: `${name}.${member.name}`,
      path: [name, ...member.path],
      isNullable: isNullable || member.isNullable,
      read: record => {
        const object = record[name]
        return isObject(object) ? member.read(object) : null
      },
    }))
  })
}
