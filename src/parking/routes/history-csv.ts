import { stringify } from 'csv-stringify/sync'
import type { TObject } from 'typebox'
import { csvCell } from '../../formats/csv-cell.ts'

/** Rows as CSV (RFC 4180) with the fields of their schema as the header. */
export function csvOf(rows: readonly object[], schema: TObject): Buffer {
  const columns = Object.keys(schema.properties)
  const lines = rows.map(row => columns.map(name => csvCell((row as Record<string, unknown>)[name])))
  return Buffer.from(stringify([columns, ...lines], { record_delimiter: '\r\n', escape_formulas: true }))
}
