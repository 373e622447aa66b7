import type { StoredRecord } from '../../query/query.ts'
import { memoise } from '../../values/memoise.ts'
import type { Column, TableLayout } from '../layout.ts'
import { CACHED_DAYS, dayNumber, dayTimestamp } from './day-number.ts'
import { unescapeText } from './escape-text.ts'

/** A value that an engine stores in one column of a row. */
export type Cell = string | number | Uint8Array | null

/** Encodes a value of a record as a cell; `code` returns the code of a dictionary-encoded value. */
export type CellWriter = (value: unknown) => Cell

/** The engine's encoding of dictionary values and of digests given in hexadecimal digits. */
export interface CellEncoding {
  code(word: string): number
  digest(digits: string): Cell
}

/** Creates the encoder of a column. Encoders throw TypeError for a value that could not be read back unchanged. */
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

/** A driver rounds a number closer to an integer than this, which only matters near 0. */
const isStorable = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value) && (value === 0 || Math.abs(value) >= Number.EPSILON)

function dayWriter(refuse: (value: unknown) => never): CellWriter {
  const daysOf = memoise(
    (value: string) => (value.endsWith('T00:00:00.000Z') ? dayNumber(value.slice(0, -14)) : refuse(value)),
    CACHED_DAYS,
  )
  return value => (value === null ? null : typeof value === 'string' ? daysOf(value) : refuse(value))
}

/** Decodes a row, whose texts {@link escapeText} wrote, into the record that was stored. */
export function readRow(
  layout: Pick<TableLayout, 'columns'>,
  row: Readonly<Record<string, unknown>>,
): StoredRecord {
  const record: Record<string, unknown> = {}
  for (const { name, type } of layout.columns) record[name] = readCell(type, row[name])
  return record
}

/** Decodes a cell, whose text {@link escapeText} wrote, into its value. */
export function readCell(type: Column['type'], cell: unknown): unknown {
  if (type === 'word') return unescapeText(String(cell))
  if (type === 'day') return cell === null ? null : dayTimestamp(Number(cell))
  if (type === 'digest') return Buffer.from(cell as Uint8Array).toString('hex')
  return cell
}
