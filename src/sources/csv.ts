import { isDeepStrictEqual } from 'node:util'
import { CsvError, Parser } from 'csv-parse'
import { cut, unguardFormula } from '../values/text.ts'
import { type Columns, createColumns, LONGEST_NAME, namesFound } from './columns.ts'
import type { BegunText } from './encodings.ts'
import { LONGEST_ROW, MOST_COLUMNS, MOST_FIRST_LINES } from './limits.ts'
import type { SourceOptions } from './source-options.ts'
import { faultyRow, isBlank, Refusal, type SourceRow } from './source-row.ts'

/** One record of a CSV source; it spans several lines if a quoted value has line breaks. */
export interface CsvLine {
  /** The line where the record starts; the first line is 1. */
  readonly line: number
  readonly cells: readonly string[]
  /** Why cells cannot be read, by column number from 0. */
  readonly faults?: ReadonlyMap<number, string> | undefined
}

/**
 * Parses CSV text (RFC 4180) and yields the non-empty lines of each chunk. If no delimiter is chosen, a first line
 * "sep=;" or the header shows it. The header is the first line, unless a later line is a header of `columns`. Throws
 * {@link Refusal}, after yielding all lines before the fault.
 */
export async function* csvLines(
  { lines: firstLines, whole }: BegunText,
  chosen?: SourceOptions['delimiter'],
  columns?: Columns,
): AsyncGenerator<readonly CsvLine[]> {
  const [first = ''] = firstLines
  const [, named] = SEPARATOR_LINE.exec(first) ?? []
  const header = () => (columns && firstLines.find(line => canBeHeader(line, columns))) ?? first
  let lines: CsvLine[] = []
  let last = { lines: 0, empty_lines: 0 }
  let tooWide: CsvLine | undefined
  const lineAfter = (emptyLines: number) => last.lines + emptyLines - last.empty_lines + 1
  const parser = new Parser({
    delimiter: chosen === 'tab' ? '\t' : (chosen ?? named ?? delimiterOf(header())),
    // A blank after a separator is not part of the value, so that a quote may follow the blank.
    ltrim: true,
    max_record_size: LONGEST_ROW,
    record_delimiter: '\n',
    relax_column_count: true,
    skip_empty_lines: true,
  }).resume()
  const end = () => Parser.prototype.push.call(parser, null)
  // Bypasses the stream and the parser's line metadata: each takes longer than the parsing itself.
  parser.push = (cells: string[] | null) => {
    if (cells === null) return end()
    const { info } = parser
    const line = { line: lineAfter(info.empty_lines), cells }
    if (cells.length > MOST_COLUMNS) tooWide ??= line
    if (tooWide === undefined && (named === undefined || last.lines > 0)) lines.push(line)
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
  for await (const piece of unixLines(whole))
    yield* taken(await new Promise(done => parser.write(piece, done)))
  yield* taken(await new Promise(done => parser.end(done)))
}

/** The delimiters of CSV columns, with their names in messages. */
const DELIMITERS: Readonly<Record<string, string>> = {
  ',': 'commas',
  ';': 'semicolons',
  '\t': 'tabs',
  '|': 'vertical bars',
}

/** A first line that names the separator for Excel: "sep=;". */
const SEPARATOR_LINE = /^"?sep=([^"\s\w]|\t)"?\s*$/i

/** Whether a line is a header with any delimiter. */
const canBeHeader = (line: string, columns: Columns): boolean =>
  Object.keys(DELIMITERS).some(delimiter => isHeader(cellsOf(line, delimiter), columns))

/** The cells of a line, split well enough to recognise a header. */
const cellsOf = (line: string, delimiter: string) =>
  line.replace(/"([^"]*)"/g, (_, cell: string) => cell.replaceAll(delimiter, ' ')).split(delimiter)

/**
 * The delimiter of CSV: the most frequent in its header outside quotes. Throws {@link Refusal} if two are equally
 * frequent.
 */
export function delimiterOf(header: string): string {
  const bare = header.replace(/"[^"]*"/g, '')
  const countOf = (delimiter: string) => bare.split(delimiter).length - 1
  // The comma is the default: a header of one column has no delimiter.
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

/**
 * The records of a table; one of the first lines names the columns. Skips lines without any value. In a workbook, a row
 * may be longer than the header, because each cell has its own place.
 */
export async function* csvRows(
  pieces: AsyncIterable<readonly CsvLine[]>,
  columns: Columns,
  isWorkbook = false,
): AsyncGenerator<readonly SourceRow[]> {
  const above: CsvLine[] = []
  let header: Header | undefined
  for await (const lines of pieces) {
    const rows: SourceRow[] = []
    for (const each of lines) {
      const { line, cells } = each
      if (cells.every(isBlank) && each.faults === undefined) continue
      if (header !== undefined) rows.push(toRow(each, header, columns))
      else if (isHeader(cells, columns)) {
        header = { ...readHeader(cells, columns), isWorkbook }
        if (above.length > 0)
          columns.notes.push(`the header is on line ${line}; what is above it is not read`)
      } else if (above.push(each) === MOST_FIRST_LINES) refuse(above, columns)
    }
    yield rows
  }
  if (header === undefined) refuse(above, columns)
}

/** Throws the fault of lines without a header. The first line that is not a title shows best what is missing. */
function refuse(lines: readonly CsvLine[], columns: Columns): void {
  const filled = (cells: readonly string[]) => cells.filter(cell => !isBlank(cell)).length
  const { cells } = lines.find(line => filled(line.cells) >= LEAST_COLUMNS) ?? lines[0] ?? {}
  if (cells === undefined) throw new Refusal('the source is empty; nothing was read from it')
  readHeader(cells, columns)
}

/** Whether these cells name the columns of a source that can be read. */
export function isHeader(cells: readonly string[], columns: Columns): boolean {
  try {
    readHeader(cells, createColumns(...columns.madeOf))
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

/** A source with fewer recognised columns is not for this dataset. */
const LEAST_COLUMNS = 2

type Header = ReturnType<typeof readHeader> & { readonly isWorkbook: boolean }

function readHeader(cells: readonly string[], columns: Columns) {
  const names = cells.map((cell, at) => cell.trim() || nameOfUnnamed(at))
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined)
    throw new Refusal(`the header has the column "${cut(twice, LONGEST_NAME)}" twice; rename or remove one`)
  const filled = names.filter((name, at) => !isBlank(cells[at]) || columns.isWanted(name))
  const match = columns.matchNames(filled)
  columns.checkMapped()
  const absent = match.supplies.filter(({ first }) => first.length === 0).map(({ field }) => field)
  const missing = absent.filter(field => columns.required.includes(field))
  if (missing.length > 0)
    throw new Refusal(
      `the source has no column for ${missing.join(', ')}; its columns are ${namesFound(filled)}; name the right one with --map "COLUMN=field"`,
    )
  // A table of counts by make also has a make, but is not the register.
  const meaningful = [...match.assignment.values()].flat()
  if (meaningful.length < LEAST_COLUMNS && columns.fields.length > LEAST_COLUMNS)
    throw new Refusal(
      `of its columns, ${namesFound(filled)}, only ${namesFound(meaningful)} means a field of this dataset; is it the right file?`,
    )
  return {
    names,
    match,
    places: new Map(names.map((name, at) => [name, at])),
    /** The columns without a name that no field takes and that have not had a value yet. */
    unnamed: new Set(names.filter((name, at) => isBlank(cells[at]) && !match.uses.has(name))),
    /**
     * Whether the header is that of an export: all columns in their order. In other sources, an apostrophe may be part
     * of the text.
     */
    isExport: isDeepStrictEqual(names, exportedAs(names, columns)),
  }
}

/** The columns of an export; lists may leave out the time of creation (spec 4.6). */
const exportedAs = (names: readonly string[], { exported }: Columns): readonly string[] =>
  names.includes('createdAt') ? exported : exported.filter(name => name !== 'createdAt')

/** The name of an unnamed column: its letter in a spreadsheet. */
const nameOfUnnamed = (at: number): string => `column ${columnName(at + 1)}`

/** The letters of a column in a spreadsheet by its number, from 1. */
export const columnName = (column: number): string =>
  column > 26
    ? columnName(Math.floor((column - 1) / 26)) + columnName(((column - 1) % 26) + 1)
    : String.fromCharCode(64 + column)

function toRow({ line, cells: given, faults }: CsvLine, header: Header, columns: Columns): SourceRow {
  const { names, places, unnamed, match, isWorkbook } = header
  const cells = header.isExport ? given.map(unguardFormula) : given
  if (!isWorkbook && cells.length !== names.length)
    return faultyRow(line, `has ${cells.length} columns, but the header has ${names.length}`, cells.join(','))
  for (const [place, reason] of faults ?? [])
    if (match.uses.has(names[place] ?? ''))
      return { ...faultyRow(line, reason), fault: { column: names[place] ?? null, value: null, reason } }
  for (let at = names.length; at < cells.length; at++) {
    places.set(nameOfUnnamed(at), at)
    unnamed.add(nameOfUnnamed(at))
  }
  const cellOf = (name: string) => cells[places.get(name) ?? -1]
  for (const name of unnamed)
    if (!isBlank(cellOf(name))) {
      columns.ignore(name)
      unnamed.delete(name)
    }
  return columns.rowOf(line, match, cellOf)
}
