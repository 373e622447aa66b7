import type { StoredRecord } from '../../query/query.ts'
import { memoise } from '../../values/memoise.ts'
import type { Column, TableLayout } from '../layout.ts'
import { CACHED_DAYS, dayNumber, dayTimestamp } from './day-number.ts'
import { unescapeText } from './escape-text.ts'

/** What an engine keeps in one place of a row. */
export type Cell = string | number | Uint8Array | null

/** Turns a value of a record into its cell; a word becomes the code that `code` gives it. */
export type CellWriter = (value: unknown) => Cell

/** What an engine makes of words and digests: the code of a word, and the cell of a digest given in hexadecimal digits. */
export interface CellEncoding {
  code(word: string): number
  digest(digits: string): Cell
}

/** Gives the writer for a column. Writers throw TypeError for a value that could not be given back as it was. */
export function cellWriter(column: Column, { code, digest }: CellEncoding): CellWriter {
  const refuse = (value: unknown): never => {
    throw new TypeError(`column "${column.name}" (${column.type}) cannot keep ${JSON.stringify(value)}`)
  }
  switch (column.type) {
    case 'word':
      return value => (typeof value === 'string' ? code(value) : refuse(value))
    case 'number':
      return value => (value === null || isStorable(value) ? value : refuse(value))
    case 'digest':
      return value =>
        typeof value === 'string' && /^[0-9a-f]{64}$/.test(value) ? digest(value) : refuse(value)
    case 'day':
      return dayWriter(refuse)
  }
}

/** A driver takes what is nearer to a whole number than this for that number, which only matters beside 0. */
const isStorable = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value) && (value === 0 || Math.abs(value) >= Number.EPSILON)

function dayWriter(refuse: (value: unknown) => never): CellWriter {
  const daysOf = memoise(
    (value: string) => (value.endsWith('T00:00:00.000Z') ? dayNumber(value.slice(0, -14)) : refuse(value)),
    CACHED_DAYS,
  )
  return value => (value === null ? null : typeof value === 'string' ? daysOf(value) : refuse(value))
}

/** Turns a row, in which words stand as {@link keepText} wrote them, back into the record that was given. */
export function readRow(
  layout: Pick<TableLayout, 'columns'>,
  row: Readonly<Record<string, unknown>>,
): StoredRecord {
  const record: Record<string, unknown> = {}
  for (const { name, type } of layout.columns) record[name] = readCell(type, row[name])
  return record
}

/** Turns a cell, in which a word stands as {@link keepText} wrote it, back into its value. */
export function readCell(type: Column['type'], cell: unknown): unknown {
  if (type === 'word') return unescapeText(String(cell))
  if (type === 'day') return cell === null ? null : dayTimestamp(Number(cell))
  if (type === 'digest') return Buffer.from(cell as Uint8Array).toString('hex')
  return cell
}
