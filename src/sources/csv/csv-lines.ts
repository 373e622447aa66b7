import { CsvError, Parser } from 'csv-parse'
import { withFirstLine } from '../encodings.ts'
import { LONGEST_ROW, MOST_COLUMNS, MOST_FIRST_LINES } from '../limits.ts'
import type { SourceOptions } from '../source-options.ts'
import { Refusal } from '../source-row.ts'

/** One record of a CSV source; it spans several lines where a quoted value has line breaks. */
export interface CsvLine {
  /** The line on which it starts; the first is 1. */
  readonly line: number
  readonly cells: readonly string[]
  /** Why cells cannot be read, by their places. */
  readonly faults?: ReadonlyMap<number, string> | undefined
}

/** Whether cells are the header of what is sought. */
export type IsHeader = (cells: readonly string[]) => boolean

/**
 * Parses CSV text (RFC 4180) and yields the non-empty lines of each chunk. Without a delimiter, a first line "sep=;" or the
 * header tells it; the header is the first line, unless `isHeader` finds it further down.
 * Throws {@link Refusal}, after yielding all lines before the fault.
 */
export async function* csvLines(
  text: AsyncIterable<string>,
  chosen?: SourceOptions['delimiter'],
  isHeader?: IsHeader,
): AsyncGenerator<readonly CsvLine[]> {
  const { whole, delimiter, isNamed } = await withDelimiter(unixLines(text), chosen, isHeader)
  let lines: CsvLine[] = []
  let last = { lines: 0, empty_lines: 0 }
  let tooWide: CsvLine | undefined
  const lineAfter = (emptyLines: number) => last.lines + emptyLines - last.empty_lines + 1
  const parser = new Parser({
    delimiter,
    // A blank after a separator is no part of the value, so that a quote may follow it.
    ltrim: true,
    max_record_size: LONGEST_ROW,
    record_delimiter: '\n',
    relax_column_count: true,
    skip_empty_lines: true,
  }).resume()
  const end = () => Parser.prototype.push.call(parser, null)
  // Bypasses the stream and the parser's line metadata: either takes longer than the parsing.
  parser.push = (cells: string[] | null) => {
    if (cells === null) return end()
    const { info } = parser
    const line = { line: lineAfter(info.empty_lines), cells }
    if (cells.length > MOST_COLUMNS) tooWide ??= line
    if (tooWide === undefined && !(isNamed && last.lines === 0)) lines.push(line)
    last = { lines: info.lines, empty_lines: info.empty_lines }
    return true
  }
  // The callback of `write` receives errors; without a listener they would end the process.
  parser.on('error', () => {})
  function* taken(error: Error | null | undefined) {
    yield lines
    lines = []
    if (tooWide !== undefined)
      throw new Refusal(
        `the row that starts on line ${tooWide.line} has ${tooWide.cells.length} columns; at most ${MOST_COLUMNS} are allowed`,
      )
    if (!error) return
    if (!(error instanceof CsvError)) throw error
    throw new Refusal(faultOf(error.code, lineAfter(Number(error.empty_lines ?? 0))))
  }
  for await (const piece of whole) yield* taken(await new Promise(done => parser.write(piece, done)))
  yield* taken(await new Promise(done => parser.end(done)))
}

async function withDelimiter(
  text: AsyncGenerator<string>,
  chosen: SourceOptions['delimiter'],
  isHeader: IsHeader | undefined,
) {
  const { line, whole } = await withFirstLine(text)
  const [, named] = SEPARATOR_LINE.exec(line) ?? []
  const isNamed = named !== undefined
  if (chosen !== undefined || isNamed)
    return { whole, isNamed, delimiter: chosen === 'tab' ? '\t' : (chosen ?? named ?? ',') }
  if (isHeader === undefined || canBeHeader(line, isHeader))
    return { whole, isNamed, delimiter: delimiterOf(line) }
  const more = await withFirstLine(whole, MOST_FIRST_LINES)
  const header = more.lines.find(one => canBeHeader(one, isHeader)) ?? line
  return { whole: more.whole, isNamed, delimiter: delimiterOf(header) }
}

/** What may separate the columns of CSV, and its name in messages. */
const DELIMITERS: Readonly<Record<string, string>> = {
  ',': 'commas',
  ';': 'semicolons',
  '\t': 'tabs',
  '|': 'vertical bars',
}

/** A first line that names the separator for Excel: "sep=;". */
const SEPARATOR_LINE = /^"?sep=([^"\s\w]|\t)"?\s*$/i

/** Whether a line is a header with any delimiter. */
const canBeHeader = (line: string, isHeader: IsHeader): boolean =>
  Object.keys(DELIMITERS).some(delimiter => isHeader(cellsOf(line, delimiter)))

/** The cells of a line, as far as that is needed to know their names. */
const cellsOf = (line: string, delimiter: string) =>
  line.replace(/"([^"]*)"/g, (_, cell: string) => cell.replaceAll(delimiter, ' ')).split(delimiter)

/**
 * The delimiter of CSV: the most frequent in its header outside quotes. Throws {@link Refusal} where two are equally
 * frequent.
 */
export function delimiterOf(header: string): string {
  const bare = header.replace(/"[^"]*"/g, '')
  const countOf = (delimiter: string) => bare.split(delimiter).length - 1
  // The comma is first: a header of one column has none of them.
  const [first = ',', ...others] = Object.keys(DELIMITERS).sort((a, b) => countOf(b) - countOf(a))
  const rival = others.find(other => countOf(other) > 0 && countOf(other) === countOf(first))
  if (rival !== undefined)
    throw new Refusal(
      `the header has as many ${DELIMITERS[first]} as ${DELIMITERS[rival]} (${countOf(first)} of each); say which separates the columns with --delimiter`,
    )
  return first
}

function faultOf(code: CsvError['code'], row: number): string {
  if (code === 'CSV_QUOTE_NOT_CLOSED')
    return `a quote (") opens in the row that starts on line ${row} and is never closed; close it`
  if (code === 'CSV_MAX_RECORD_SIZE')
    return `the row that starts on line ${row} has more than the ${LONGEST_ROW} characters that are allowed; a quote (") may not be closed there`
  return `a quote (") is inside a value in the row that starts on line ${row}; write it twice and quote the value`
}

/** Converts line breaks to line feeds: the parser counts a quoted CR LF as two lines. */
async function* unixLines(text: AsyncIterable<string>): AsyncGenerator<string> {
  let held = ''
  for await (const piece of text) {
    const whole = held + piece
    held = whole.endsWith('\r') ? '\r' : ''
    yield (held ? whole.slice(0, -1) : whole).replace(/\r\n?/g, '\n')
  }
  if (held) yield '\n'
}
