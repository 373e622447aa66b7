import type { TObject } from 'typebox'
import { csvLines } from '../../formats/csv.ts'

/** Rows as CSV (RFC 4180) with the fields of their schema as the header. */
export function csvOf(rows: readonly object[], schema: TObject): Buffer {
  const columns = Object.keys(schema.properties)
  return csvLines([columns, ...rows.map(row => columns.map(name => (row as Record<string, unknown>)[name]))])
}
