import { pipeline } from 'node:stream'
import { CsvError, type Info, type Options, parse } from 'csv-parse'
import { isBlank } from '../conform/blank.ts'
import { Refusal } from '../refusal.ts'
import { type Assignment, type Columns, namesFound } from './columns.ts'
import { faultyRow, type SourceRow } from './row.ts'

const LONGEST_ROW = 1 << 20

/**
 * The records of a CSV source (RFC 4180), whose first line names the columns. Lines without any value are passed over.
 * Broken quoting refuses the source: what follows such a quote cannot be told apart into rows.
 */
export async function* csvRows(
  text: AsyncIterable<string>,
  columns: Columns,
  required: readonly string[],
): AsyncGenerator<SourceRow> {
  let header: Header | undefined
  for await (const { line, cells } of parsed(text)) {
    if (cells.every(isBlank)) continue
    if (header === undefined) header = readHeader(cells, columns, required)
    else yield toRow(line, cells, header)
  }
  if (header === undefined) throw new Refusal('the source is empty; nothing was read from it')
}

interface Parsed {
  readonly line: number
  readonly cells: readonly string[]
}

async function* parsed(text: AsyncIterable<string>): AsyncGenerator<Parsed> {
  let last = { lines: 0, empty_lines: 0 }
  const lineAfter = (emptyLines: number) => last.lines + emptyLines - last.empty_lines + 1
  try {
    const { delimiter, whole } = await withDelimiter(unixLines(text))
    const options: Options<Parsed, string[]> = {
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
    yield* pipeline(whole, parser, () => {}) as AsyncIterable<Parsed>
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

/** A source with fewer columns that mean something is one of another kind. */
const LEAST_COLUMNS = 2

interface Header {
  readonly names: readonly string[]
  /** For each field, the places of the columns that give it. */
  readonly places: ReadonlyMap<string, readonly number[]>
  /** The first of those columns by field. */
  readonly columns: ReadonlyMap<string, string>
}

function readHeader(cells: readonly string[], columns: Columns, required: readonly string[]): Header {
  const names = cells.map(cell => cell.trim())
  const twice = names.find((name, at) => name !== '' && names.indexOf(name) !== at)
  if (twice !== undefined)
    throw new Refusal(`the header has the column "${twice}" twice; rename or remove one`)
  const assignment: Assignment = columns.assign(names.filter(name => name !== ''))
  columns.checkMapped()
  const missing = required.filter(field => !assignment.has(field))
  if (missing.length > 0)
    throw new Refusal(
      `the source has no column for ${missing.join(', ')}; its columns are ${namesFound(names)}; name the right one with --map "COLUMN=field"`,
    )
  // A list of counts by make has a make too, but is no register.
  const meaningful = [...assignment.values()].flat()
  if (meaningful.length < LEAST_COLUMNS && columns.fieldCount > LEAST_COLUMNS)
    throw new Refusal(
      `of its columns, ${namesFound(names)}, only ${namesFound(meaningful)} means a field of this dataset; is it the right file?`,
    )
  return {
    names,
    places: new Map([...assignment].map(([field, from]) => [field, from.map(name => names.indexOf(name))])),
    columns: new Map([...assignment].map(([field, [first = field]]) => [field, first])),
  }
}

function toRow(line: number, cells: readonly string[], { names, places, columns }: Header): SourceRow {
  if (cells.length !== names.length)
    return faultyRow(line, `has ${cells.length} columns, but the header has ${names.length}`, cells.join(','))
  const values = new Map<string, unknown>()
  let own = columns
  for (const [field, [first = -1, second]] of places) {
    const useSecond = second !== undefined && isBlank(cells[first])
    values.set(field, cells[useSecond ? second : first])
    if (useSecond) own = new Map(own).set(field, names[second] ?? field)
  }
  return { line, values, columns: own }
}
