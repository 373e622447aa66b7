import { stringify } from 'csv-stringify/sync'
import { inChunks } from './chunks.ts'
import { csvCell } from './csv-cell.ts'
import { type Format, type Records, takesAll } from './format.ts'

/**
 * RFC 4180: a header of field names, CRLF after every line. Text that a spreadsheet would run as a formula gets a
 * leading apostrophe; numbers never do, or every longitude here would be text.
 */
export const csv: Format = {
  mediaType: 'text/csv; charset=utf-8; header=present',
  refusal: takesAll,
  write: (records, schema) => inChunks(lines(records, Object.keys(schema.properties))),
}

async function* lines(records: Records, columns: readonly string[]): AsyncGenerator<string> {
  yield line(columns)
  for await (const record of records) yield line(columns.map(name => csvCell(record[name])))
}

function line(cells: readonly (string | number)[]): string {
  return stringify([cells], { record_delimiter: '\r\n', escape_formulas: true })
}
