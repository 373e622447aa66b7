import { stringify } from 'csv-stringify/sync'
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

/**
 * Formats rows of values as lines. Text that a spreadsheet would run as a formula gets a leading apostrophe; numbers never
 * do, since longitudes here are negative.
 */
function csvLines(rows: readonly (readonly unknown[])[]): Buffer {
  const cells = rows.map(row => row.map(cellOf))
  return Buffer.from(stringify(cells, { record_delimiter: '\r\n', escape_formulas: true }))
}

/** Formats lists joined by commas, objects as JSON, and null and undefined as empty, the forms that imports read. */
function cellOf(value: unknown): string | number {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string' || typeof value === 'number') return value
  if (Array.isArray(value)) return value.map(cellOf).join(',')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
