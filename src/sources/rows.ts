import { gunzipped, lineFeeds, openBytes, pagesOf, withHead } from './bytes.ts'
import type { Columns } from './columns.ts'
import { createCompleteness } from './completeness.ts'
import { type CsvLine, csvLines, csvRows } from './csv.ts'
import { type DeclaredStream, decodeText, withFirstLines } from './encodings.ts'
import { jsonRows } from './json.ts'
import type { SourceOptions } from './source-options.ts'
import { Refusal, type SourceRow } from './source-row.ts'

/** An opened source. */
export type Source = Awaited<ReturnType<typeof openSource>>

/**
 * Opens a source and waits for its first byte: a file, standard input for `-`, or `input`; gzip or not; a workbook,
 * JSON or CSV. The chunks of `input` may be several documents, with `PAGE_END` between documents. Throws
 * {@link Refusal}.
 */
export async function openSource(name: string, input?: DeclaredStream, reading: SourceOptions = {}) {
  const bytes = await openBytes(name, input)
  const { whole } = await withHead(bytes.chunks, 1)
  const options = { ...input?.declared, ...reading }
  const completeness = createCompleteness()
  let [pages, records, lines] = [0, 0, 0]
  async function* countingLines(chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      lines += lineFeeds(chunk)
      yield chunk
    }
  }
  async function* rows(columns: Columns): AsyncGenerator<readonly SourceRow[]> {
    for await (const page of pagesOf(whole)) {
      const before = lines + pages++
      completeness.startPage()
      const text = countingLines(gunzipped(page))
      try {
        for await (const some of rowsOf(text, options, columns, completeness.note)) {
          records += some.length
          yield before === 0 ? some : some.map(row => ({ ...row, line: before + row.line }))
        }
      } catch (error) {
        throw pages > 1 && error instanceof Refusal ? new Refusal(`page ${pages}: ${error.message}`) : error
      }
    }
  }
  return {
    /**
     * Yields the records in the source's order, in batches. Line numbers continue from page to page, as if a line break
     * were between pages. Throws {@link Refusal} if the source as a whole cannot be read.
     */
    rows,
    /** Says that the source is incomplete, if the source itself says so; known once all rows have been read. */
    incomplete: () => completeness.finding(pages, records),
    bytesTotal: bytes.total,
    bytesRead: bytes.taken,
  }
}

/** Text that starts with a bracket is JSON, any other is CSV. */
async function* rowsOf(
  bytes: AsyncIterable<Buffer>,
  options: SourceOptions,
  columns: Columns,
  onMember: (name: string, value: unknown) => void,
) {
  const opened = await sheetOrText(bytes, options, columns)
  if ('sheet' in opened) return yield* csvRows(opened.sheet, columns, true)
  const [line = ''] = opened.lines
  yield* /^[[{]/.test(line)
    ? jsonRows(opened, columns, onMember)
    : csvRows(csvLines(opened, options.delimiter, columns), columns)
}

/** The lines of a table: a sheet of a workbook, else CSV. Throws {@link Refusal}. */
export async function* tableLines(
  bytes: AsyncIterable<Buffer>,
  options: SourceOptions,
): AsyncGenerator<readonly CsvLine[]> {
  const opened = await sheetOrText(bytes, options)
  yield* 'sheet' in opened ? opened.sheet : csvLines(opened, options.delimiter)
}

/** The first bytes of a ZIP archive. */
const ARCHIVE = Buffer.from('PK\x03\x04')

/** An archive is a workbook: the lines of one sheet are read. Anything else is text. */
async function sheetOrText(
  bytes: AsyncIterable<Buffer>,
  { encoding, sheet }: SourceOptions,
  columns?: Columns,
) {
  const { head, whole } = await withHead(bytes, ARCHIVE.length)
  if (head.indexOf(ARCHIVE) === 0) {
    // Imported lazily: few sources are workbooks.
    const { workbookLines } = await import('./workbook/workbook-lines.ts')
    return { sheet: workbookLines(whole, sheet, columns) }
  }
  if (sheet !== undefined)
    throw new Refusal(`--sheet names "${sheet}", but the source is not a workbook; leave it out`)
  return withFirstLines(decodeText(whole, encoding))
}
