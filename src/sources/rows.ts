import type { Readable } from 'node:stream'
import { gunzipped, openBytes, withHead } from './bytes.ts'
import type { Columns } from './columns.ts'
import { csvLines } from './csv/csv-lines.ts'
import { csvRows } from './csv/csv-rows.ts'
import { decodeText } from './encodings.ts'
import { withFirstLine } from './first-line.ts'
import { jsonRows } from './json-rows.ts'
import type { SourceOptions } from './source-options.ts'
import type { SourceRow } from './source-row.ts'
import { ARCHIVE, isArchive } from './workbook/archive.ts'
import { workbookLines } from './workbook/workbook-lines.ts'

/** An opened source. */
export interface Source {
  /**
   * Its records, in the source's order, in batches. Throws {@link Refusal} where the source as a whole cannot be read.
   */
  rows(columns: Columns, required: readonly string[]): AsyncGenerator<readonly SourceRow[]>
  readonly bytesTotal: number | null
  bytesRead(): number
}

/**
 * Opens a source, once it gives its first byte: a file, standard input for `-`, or `input`; gzip or not; a workbook, JSON
 * or CSV. Throws {@link Refusal}.
 */
export async function openSource(
  name: string,
  input?: Readable,
  reading: SourceOptions = {},
): Promise<Source> {
  const bytes = await openBytes(name, input)
  const { whole } = await withHead(bytes.chunks, 1)
  return {
    rows: (columns, required) => rowsOf(gunzipped(whole), reading, columns, required),
    bytesTotal: bytes.total,
    bytesRead: bytes.taken,
  }
}

/** An archive is a workbook; text that starts with a bracket is JSON, any other is CSV. */
async function* rowsOf(
  bytes: AsyncIterable<Buffer>,
  { encoding, delimiter, sheet }: SourceOptions,
  columns: Columns,
  required: readonly string[],
) {
  const source = await withHead(bytes, ARCHIVE.length)
  if (isArchive(source.head, sheet)) {
    yield* csvRows(workbookLines(source.whole, sheet), columns, required)
    return
  }
  const { line, whole } = await withFirstLine(decodeText(source.whole, encoding))
  yield* /^[[{]/.test(line)
    ? jsonRows(whole, columns)
    : csvRows(csvLines(whole, delimiter), columns, required)
}
