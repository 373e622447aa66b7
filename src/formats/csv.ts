import { type FlatColumn, flatColumnsOf } from '../query/flat-columns.ts'
import type { RowBatch } from '../query/result.ts'
import { guardFormula } from '../values/formula-text.ts'
import type { RecordFormat } from './format.ts'

/** RFC 4180: a header of column names, CRLF after every line. Members of an object are columns of their own. */
export const csv: RecordFormat = {
  name: 'csv',
  mediaType: 'text/csv; charset=utf-8; header=present',
  description: 'A header of column names, CRLF after every line (RFC 4180).',
  isDownload: true,
  takesBom: true,
  async *write(batches, schema) {
    const columns = flatColumnsOf(schema)
    yield Buffer.from(lineOf(columns.map(({ name }) => quoted(name))))
    // In a function of its own, so that a client that does not read holds the bytes alone.
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
  // A line without a character would be no record to a reader.
  if (only === '' && cells.length === 1) return '""\r\n'
  return `${cells.join(',')}\r\n`
}

const inQuotes = (cell: string): string => `"${cell.replaceAll('"', '""')}"`
const quoted = (cell: string): string => (/[",\r\n]/.test(cell) ? inQuotes(cell) : cell)

/** What a spreadsheet takes for a number, a date or a flag has a digit or is one of these words. */
const LIKE_A_VALUE = /\d|^(?:true|false)$/i

/**
 * Text that a spreadsheet would run as a formula is guarded, and text that it would take for another value is quoted: those that
 * can be told that quoted fields are text keep the zeros of codes then.
 */
function textCell(text: string): string {
  const guarded = guardFormula(text)
  return LIKE_A_VALUE.test(guarded) ? inQuotes(guarded) : quoted(guarded)
}

/**
 * Formats lists joined by commas, and null and undefined as empty: what an import reads as the same value. Numbers are never
 * guarded, since longitudes here are negative.
 */
function cellOf(value: unknown, { isNullable, kind }: FlatColumn): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return plainDecimal(value)
  if (typeof value === 'string') return kind === 'date' || kind === 'timestamp' ? value : textCell(value)
  if (typeof value !== 'object') return String(value)
  if (!Array.isArray(value) || !value.every(isPlainItem)) return quoted(JSON.stringify(value))
  // An object whose lists are empty is not an object that is absent.
  return value.length === 0 && isNullable ? '[]' : textCell(value.join(','))
}

/** Whether an item of a list can be told from its neighbours, whichever separator is looked for. */
const isPlainItem = (item: unknown): boolean => typeof item === 'string' && /^[^[,;|]+$/.test(item)

/** The digits of a number without an exponent, which imports refuse: in other sources it is a sign of lost digits. */
function plainDecimal(value: number): string {
  const text = String(value)
  const [, sign = '', whole, fraction = '', exponent] = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(text) ?? []
  if (whole === undefined) return text
  const digits = whole + fraction
  const zeros = Number(exponent)
  return sign + (zeros < 0 ? `0.${'0'.repeat(-zeros - 1)}${digits}` : digits.padEnd(zeros + 1, '0'))
}
