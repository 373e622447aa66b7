import { type RawBuilder, sql } from 'kysely'
import type { Column, TableLayout } from '../../../query/layout.ts'
import { type DatePart, datePart, type StoredRecord } from '../../../query/query.ts'
import { CACHED_DAYS, dayNumber, dayTimestamp } from '../../../values/day-number.ts'
import { memoise } from '../../../values/memoise.ts'
import { fold } from '../../../values/text.ts'

/** The column with the folded text of a word, for searching. No field can have this name. */
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

/** Returns a function that encodes records of the layout as JSON for the columns of {@link declarations}. */
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

/** A calendar date as the database writes it: the year before 1 is 1 BC. Throws RangeError for an impossible date. */
export function storedDay(date: string): string {
  dayNumber(date)
  return date.startsWith('0000') ? `0001${date.slice(4)} BC` : date
}

/** A column, or a part of its days: the first day of the year or month. */
export interface ShownColumn extends Column {
  readonly part?: DatePart
}

/** The value of a column in a result. A day is its number since 1970-01-01, which no setting of the server formats. */
export function shown({ name, type, part }: ShownColumn): RawBuilder<unknown> {
  const cell = sql.ref(name)
  if (type !== 'day') return cell
  const day = part === undefined ? cell : sql`date_trunc(${sql.lit(part)}, ${cell}::timestamp)::date`
  return sql`${day} - date '1970-01-01'`
}

/** Decodes a value that {@link shown} selects. */
export function shownValue({ type, part }: ShownColumn, value: unknown): string | number | null {
  if (type === 'word') return textOf(value as string)
  if (type === 'digest') return (value as Buffer).toString('hex')
  if (type === 'number' || value === null) return value as number | null
  const timestamp = dayTimestamp(value as number)
  return part === undefined ? timestamp : datePart(timestamp, part)
}

/** Code units that the database sorts differently or cannot store, and the character that escapes NUL. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: texts may have control characters
const UNLIKE = /[\0\x01\ud800-\uffff]/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: U+0001 is the escape
const REPLACED = /\x01[\x01\x02]|[\u{10000}-\u{127ff}]/gu

const FIRST_SURROGATE = 0xd800
const FIRST_BEYOND = 0x10000

/**
 * Encodes any text so that the database stores it exactly, and sorts its bytes (`collate "C"`) as `<` does: by UTF-16 code
 * units. Nearly all text is unchanged. Each code unit from U+D800 on becomes a character beyond U+FFFF. Otherwise a surrogate
 * pair would sort after U+E000, and a lone surrogate could not be stored.
 */
export const sortableText = (text: string): string => text.replace(UNLIKE, replacement)

/** Decodes the result of {@link sortableText}. */
export const textOf = (sortable: string): string => sortable.replace(REPLACED, original)

function replacement(unit: string): string {
  const code = unit.charCodeAt(0)
  return code < FIRST_SURROGATE
    ? `\x01${String.fromCharCode(code + 1)}`
    : String.fromCodePoint(code - FIRST_SURROGATE + FIRST_BEYOND)
}

const original = (replaced: string): string =>
  String.fromCharCode(
    replaced.startsWith('\x01')
      ? replaced.charCodeAt(1) - 1
      : Number(replaced.codePointAt(0)) - FIRST_BEYOND + FIRST_SURROGATE,
  )
