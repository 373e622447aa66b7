import type { Readable } from 'node:stream'
import { gunzipped, openBytes, pagesOf, withHead } from './bytes.ts'
import type { Columns } from './columns.ts'
import { createCompleteness } from './completeness.ts'
import { csvLines } from './csv/csv-lines.ts'
import { csvRows, isHeader } from './csv/csv-rows.ts'
import { type DeclaredStream, decodeText } from './encodings.ts'
import { withFirstLine } from './first-line.ts'
import { jsonRows } from './json/json-rows.ts'
import type { SourceOptions } from './source-options.ts'
import { Refusal, type SourceRow } from './source-row.ts'
import { ARCHIVE, isArchive } from './workbook/archive.ts'
import { workbookLines } from './workbook/workbook-lines.ts'

/** An opened source. */
export interface Source {
  /**
   * Its records, in the source's order, in batches. Lines are counted on from page to page, as if a line end were between
   * them. Throws {@link Refusal} where the source as a whole cannot be read.
   */
  rows(columns: Columns, required: readonly string[]): AsyncGenerator<readonly SourceRow[]>
  /** Says that the source holds a part of the whole, if it says so itself; known once all rows have been read. */
  incomplete(): string | undefined
  readonly bytesTotal: number | null
  bytesRead(): number
}

/**
 * Opens a source, once it gives its first byte: a file, standard input for `-`, or `input`; gzip or not; a workbook, JSON
 * or CSV. The chunks of `input` may be several such documents, with `PAGE_END` between them. Throws {@link Refusal}.
 */
export async function openSource(
  name: string,
  input?: Readable,
  reading: SourceOptions = {},
): Promise<Source> {
  const bytes = await openBytes(name, input)
  const { whole } = await withHead(bytes.chunks, 1)
  const { declared } = (input ?? {}) as Partial<DeclaredStream>
  const completeness = createCompleteness()
  let [pages, records, lines] = [0, 0, 0]
  async function* countingLines(chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      for (let at = chunk.indexOf(0x0a); at !== -1; at = chunk.indexOf(0x0a, at + 1)) lines++
      yield chunk
    }
  }
  async function* rows(columns: Columns, required: readonly string[]) {
    for await (const page of pagesOf(whole)) {
      const before = lines + pages++
      completeness.startPage()
      const text = countingLines(gunzipped(page))
      try {
        for await (const some of rowsOf(
          text,
          { ...declared, ...reading },
          columns,
          required,
          completeness.note,
        )) {
          records += some.length
          yield before === 0 ? some : some.map(row => ({ ...row, line: before + row.line }))
        }
      } catch (error) {
        throw pages > 1 && error instanceof Refusal ? new Refusal(`page ${pages}: ${error.message}`) : error
      }
    }
  }
  return {
    rows,
    incomplete: () => completeness.finding(pages, records),
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
  onMember: (name: string, value: unknown) => void,
) {
  const source = await withHead(bytes, ARCHIVE.length)
  const canBeHeader = (cells: readonly string[]) => isHeader(cells, columns, required)
  if (isArchive(source.head, sheet)) {
    const lines = workbookLines(source.whole, sheet, canBeHeader, columns.notes)
    yield* csvRows(lines, columns, required, true)
    return
  }
  const { line, whole } = await withFirstLine(decodeText(source.whole, encoding))
  yield* /^[[{]/.test(line)
    ? jsonRows(whole, columns, onMember)
    : csvRows(csvLines(whole, delimiter, canBeHeader), columns, required)
}
