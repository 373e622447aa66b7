import { withFirstLine } from '../first-line.ts'
import { LONGEST_ROW, MOST_COLUMNS, MOST_FIRST_LINES } from '../limits.ts'
import type { SourceOptions } from '../source-options.ts'
import { Refusal } from '../source-row.ts'
import { canBeHeader, delimiterOf, type IsHeader, SEPARATOR_LINE } from './delimiter.ts'

/** One record of a CSV source; it spans several lines where a quoted value has line breaks. */
export interface CsvLine {
  /** The line on which it starts; the first is 1. */
  readonly line: number
  readonly cells: readonly string[]
  /** Why cells cannot be read, by their places. */
  readonly faults?: ReadonlyMap<number, string> | undefined
}

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
  let isDelimiterNext = isNamed
  let row = ''
  let [first, line] = [1, 1]
  let isOpen = false
  let lines: CsvLine[] = []

  /** What is wrong with the row; a quote inside one of its values before anything else. */
  function fault(reason: string): Refusal {
    const isSound = cellsOf(isOpen ? `${row}"` : row, delimiter) !== undefined
    return new Refusal(
      isSound ? reason : `a quote (") is inside a value in ${rowAt()}; write it twice and quote the value`,
    )
  }
  const rowAt = () => `the row that starts on line ${first}`

  function endLine(): void {
    line++
    if (isOpen) {
      row += '\n'
      return
    }
    const cells = cellsOf(row, delimiter)
    if (cells === undefined) throw fault('')
    if (cells.length > MOST_COLUMNS)
      throw fault(`${rowAt()} has ${cells.length} columns; at most ${MOST_COLUMNS} are allowed`)
    if (cells.length > 1 || row.trim() !== '') {
      if (!isDelimiterNext) lines.push({ line: first, cells })
      isDelimiterNext = false
    }
    row = ''
    first = line
  }

  function take(part: string): void {
    row += part
    if (hasOddQuotes(part)) isOpen = !isOpen
    if (row.length > LONGEST_ROW)
      throw fault(
        `${rowAt()} has more than the ${LONGEST_ROW} characters that are allowed; a quote (") may not be closed there`,
      )
  }

  for await (const piece of whole) {
    const [start = '', ...parts] = piece.split('\n')
    lines = []
    try {
      take(start)
      for (const part of parts) {
        endLine()
        take(part)
      }
    } finally {
      yield lines
    }
  }
  if (isOpen) throw fault(`a quote (") opens in ${rowAt()} and is never closed; close it`)
}

const hasOddQuotes = (text: string): boolean => text.includes('"') && text.split('"').length % 2 === 0

/** The cells of a row; undefined where one has a quote inside its value. */
function cellsOf(row: string, delimiter: string): string[] | undefined {
  const parts = row.split(delimiter)
  // A blank after a separator is no part of the value, so that a quote may follow it.
  if (!row.includes('"')) return parts.map(part => part.trimStart())
  const cells: string[] = []
  let cell = ''
  let isOpen = false
  for (const part of parts) {
    cell += part
    if (hasOddQuotes(part)) isOpen = !isOpen
    if (isOpen) {
      cell += delimiter
      continue
    }
    const value = unquoted(cell.trimStart())
    if (value === undefined) return undefined
    cells.push(value)
    cell = ''
  }
  return cells
}

/** The value of a cell with an even number of quotes; undefined where one is inside it. */
function unquoted(cell: string): string | undefined {
  if (!cell.includes('"')) return cell
  const value = cell.slice(1, -1)
  const isSound = cell.startsWith('"') && cell.endsWith('"') && !value.replaceAll('""', '').includes('"')
  return isSound ? value.replaceAll('""', '"') : undefined
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

/** Converts line breaks to line feeds, with one at the end. */
async function* unixLines(text: AsyncIterable<string>): AsyncGenerator<string> {
  let held = ''
  for await (const piece of text) {
    const whole = held + piece
    held = whole.endsWith('\r') ? '\r' : ''
    yield (held ? whole.slice(0, -1) : whole).replace(/\r\n?/g, '\n')
  }
  yield '\n'
}
