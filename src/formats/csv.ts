import { stringify } from 'csv-stringify/sync'
import { guardFormula } from '../values/formula-text.ts'
import type { Format } from './format.ts'

/** RFC 4180: a header of field names, CRLF after every line. */
export const csv: Format = {
  name: 'csv',
  mediaType: 'text/csv; charset=utf-8; header=present',
  description: 'A header of field names, CRLF after every line (RFC 4180).',
  async *write(batches, schema) {
    const columns = Object.keys(schema.properties)
    yield csvLines([columns])
    for await (const batch of batches)
      yield csvLines(batch.records().map(record => columns.map(name => record[name])))
  },
}

/** Formats rows of values as lines. The writer by itself quotes only the line break that it ends lines with. */
function csvLines(rows: readonly (readonly unknown[])[]): Buffer {
  const cells = rows.map(row => row.map(cellOf))
  return Buffer.from(stringify(cells, { record_delimiter: '\r\n', quoted_match: /[\r\n]/ }))
}

/**
 * Formats lists joined by commas, objects as JSON, and null and undefined as empty: what an import reads as the same value.
 * Text that a spreadsheet would run as a formula is guarded; numbers never are, since longitudes here are negative.
 */
function cellOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return plainDecimal(value)
  if (typeof value === 'string') return guardFormula(value)
  if (Array.isArray(value) && value.every(isPlainItem)) return guardFormula(value.join(','))
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
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
