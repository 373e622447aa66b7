import { withHead } from './bytes.ts'
import { type CsvLine, csvLines } from './csv/csv-lines.ts'
import { decodeText } from './encodings.ts'
import type { SourceOptions } from './source-options.ts'
import { ARCHIVE, isArchive } from './workbook/archive.ts'
import { workbookLines } from './workbook/workbook-lines.ts'

/** The lines of a table: a sheet of a workbook, else CSV. Throws `Refusal`. */
export async function* tableLines(
  bytes: AsyncIterable<Buffer>,
  { delimiter, encoding, sheet }: SourceOptions,
): AsyncGenerator<readonly CsvLine[]> {
  const { head, whole } = await withHead(bytes, ARCHIVE.length)
  yield* isArchive(head, sheet)
    ? workbookLines(whole, sheet)
    : csvLines(decodeText(whole, encoding), delimiter)
}
