import { pipeline } from 'node:stream'
import { CsvError, type Info, type Options, parse } from 'csv-parse'
import { Refusal } from '../refusal.ts'

const LONGEST_ROW = 1 << 20

/** One line of a CSV source, or several where a quoted value has line breaks. */
export interface CsvLine {
  /** The line on which it starts; the first is 1. */
  readonly line: number
  readonly cells: readonly string[]
}

/**
 * The lines of CSV text (RFC 4180) taken apart, but empty ones; commas, semicolons and tabs are told by the first line.
 * Throws {@link Refusal}.
 */
export async function* csvLines(text: AsyncIterable<string>): AsyncGenerator<CsvLine> {
  let last = { lines: 0, empty_lines: 0 }
  const lineAfter = (emptyLines: number) => last.lines + emptyLines - last.empty_lines + 1
  try {
    const { delimiter, whole } = await withDelimiter(unixLines(text))
    const options: Options<CsvLine, string[]> = {
      delimiter,
      max_record_size: LONGEST_ROW,
      record_delimiter: '\n',
      relax_column_count: true,
      skip_empty_lines: true,
      on_record(cells, info) {
        const line = lineAfter(info.empty_lines)
        last = info
        return { line, cells }
      },
    }
    // The library's type of `parse` has records of another shape only where columns are named.
    const parser = parse(options as object)
    // What goes wrong reaches the loop through the parser.
    yield* pipeline(whole, parser, () => {}) as AsyncIterable<CsvLine>
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw new Refusal(faultOf(error.code, lineAfter((error as CsvError & Partial<Info>).empty_lines ?? 0)))
  }
}

function faultOf(code: CsvError['code'], row: number): string {
  if (code === 'CSV_QUOTE_NOT_CLOSED')
    return `a quote (") opens in the row that starts on line ${row} and is never closed; close it`
  if (code === 'CSV_MAX_RECORD_SIZE')
    return `the row that starts on line ${row} has more than ${LONGEST_ROW} characters; a quote (") may not be closed there`
  return `a quote (") stands inside a value in the row that starts on line ${row}; write it twice and quote the value`
}

/** Every line break as a line feed: the parser counts a quoted CR LF as two lines. */
async function* unixLines(text: AsyncIterable<string>): AsyncGenerator<string> {
  let held = ''
  for await (const piece of text) {
    const whole = held + piece
    held = whole.endsWith('\r') ? '\r' : ''
    yield (held ? whole.slice(0, -1) : whole).replace(/\r\n?/g, '\n')
  }
  if (held) yield '\n'
}

/** Sniffs the delimiter from the header: the one of comma, semicolon and tab that it has most of outside quotes. */
async function withDelimiter(text: AsyncGenerator<string>) {
  let head = ''
  for (let one = await text.next(); !one.done; one = await text.next()) {
    head += one.value
    if (/\S[^\n]*\n/.test(head) || head.length > LONGEST_ROW) break
  }
  const header = (head.trimStart().split('\n', 1)[0] ?? '').replace(/"[^"]*"/g, '')
  const [delimiter = ','] = [',', ';', '\t'].sort((a, b) => header.split(b).length - header.split(a).length)
  async function* whole() {
    yield head
    yield* text
  }
  return { delimiter, whole: whole() }
}
