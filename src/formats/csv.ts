import { type FlatColumn, flatColumnsOf } from '../query/layout.ts'
import type { RowBatch } from '../query/query.ts'
import { guardFormula } from '../values/text.ts'
import type { RecordFormat } from './format.ts'

/** RFC 4180: a header of column names, CRLF after every line. Each member of an object is a separate column. */
export const csv: RecordFormat = {
  name: 'csv',
  mediaType: 'text/csv; charset=utf-8; header=present',
  description: 'A header of column names, CRLF after every line (RFC 4180).',
  isDownload: true,
  takesBom: true,
  async *write(batches, schema) {
    const columns = flatColumnsOf(schema)
    yield Buffer.from(lineOf(columns.map(({ name }) => quoted(name))))
    // A separate function: while a client does not read, only the bytes stay in memory, not the records.
    const textOf = (batch: RowBatch) =>
      batch
        .records()
        .map(record => lineOf(columns.map(column => cellOf(column.read(record), column))))
        .join('')
    for await (const batch of batches) yield Buffer.from(textOf(batch))
  },
}

function lineOf(cells: readonly string[]): string {
  const [only] = cells
  // Readers skip an empty line.
  if (only === '' && cells.length === 1) return '""\r\n'
  return `${cells.join(',')}\r\n`
}

const inQuotes = (cell: string): string => `"${cell.replaceAll('"', '""')}"`
const quoted = (cell: string): string => (/[",\r\n]/.test(cell) ? inQuotes(cell) : cell)

/** Matches every text that a spreadsheet takes for a number, a date or a flag. */
const LIKE_A_VALUE = /\d|^(?:true|false)$/i

/**
 * Guards text that a spreadsheet would run as a formula, and quotes text that it would take for another value. Some
 * spreadsheets have an option to read quoted fields as text, which keeps leading zeros of codes.
 */
function textCell(text: string): string {
  const guarded = guardFormula(text)
  return LIKE_A_VALUE.test(guarded) ? inQuotes(guarded) : quoted(guarded)
}

/**
 * Formats a value so that an import reads the same value: lists joined by commas, null and undefined as empty. Numbers are
 * never guarded, because longitudes here are negative.
 */
function cellOf(value: unknown, { isNullable, kind }: FlatColumn): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return plainDecimal(value)
  if (typeof value === 'string') return kind === 'date' || kind === 'timestamp' ? value : textCell(value)
  if (typeof value !== 'object') return String(value)
  if (!Array.isArray(value) || !value.every(isPlainItem)) return quoted(JSON.stringify(value))
  // An object with empty lists must differ from an absent object.
  return value.length === 0 && isNullable ? '[]' : textCell(value.join(','))
}

/** Whether an item has no character that an import could take for a separator of the list. */
const isPlainItem = (item: unknown): boolean => typeof item === 'string' && /^[^[,;|]+$/.test(item)

/** The digits of a number without an exponent. Imports refuse exponents, which are a sign of lost digits in other sources. */
function plainDecimal(value: number): string {
  const text = String(value)
  const [, sign = '', whole, fraction = '', exponent] = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(text) ?? []
  if (whole === undefined) return text
  const digits = whole + fraction
  const zeros = Number(exponent)
  return sign + (zeros < 0 ? `0.${'0'.repeat(-zeros - 1)}${digits}` : digits.padEnd(zeros + 1, '0'))
}
