import { isDeepStrictEqual } from 'node:util'
import { unguardFormula } from '../../values/formula-text.ts'
import { cut } from '../../values/text.ts'
import { LONGEST_NAME } from '../claims.ts'
import { type Columns, createColumns, namesFound, rowOf } from '../columns.ts'
import { MOST_FIRST_LINES } from '../limits.ts'
import { faultyRow, isBlank, Refusal, type SourceRow } from '../source-row.ts'
import type { CsvLine } from './csv-lines.ts'

/**
 * The records of a table, of which one of the first lines names the columns. Skips lines without any value. In a workbook,
 * whose cells have places, a row may go on beyond the header.
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

/** Throws what is wrong with lines without a header: the first that is no title says best what is missing. */
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

/** A source with fewer recognised columns is of another kind. */
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
  // A table of counts by make has a make too, but is not the register.
  const meaningful = [...match.assignment.values()].flat()
  if (meaningful.length < LEAST_COLUMNS && columns.fields.length > LEAST_COLUMNS)
    throw new Refusal(
      `of its columns, ${namesFound(filled)}, only ${namesFound(meaningful)} means a field of this dataset; is it the right file?`,
    )
  return {
    names,
    match,
    places: new Map(names.map((name, at) => [name, at])),
    /** The columns that no field takes, by their places, until they have had a value. */
    unsampled: new Map(
      names.flatMap((name, at) => (columns.ignored.has(name) || isBlank(cells[at]) ? [[name, at]] : [])),
    ),
    /** Whether it is that of an export: all columns in their order. Of other sources nobody knows who added an apostrophe. */
    isExport: isDeepStrictEqual(names, exportedAs(names, columns)),
  }
}

/** The columns of an export; lists may leave out the time of creation (spec 4.6). */
const exportedAs = (names: readonly string[], { exported }: Columns): readonly string[] =>
  names.includes('createdAt') ? exported : exported.filter(name => name !== 'createdAt')

/** The name of a column without one: that of its letter in a spreadsheet. */
const nameOfUnnamed = (at: number): string => `column ${columnName(at + 1)}`

/** The letters of a column in a spreadsheet by its number, from 1. */
export const columnName = (column: number): string =>
  column > 26
    ? columnName(Math.floor((column - 1) / 26)) + columnName(((column - 1) % 26) + 1)
    : String.fromCharCode(64 + column)

function toRow({ line, cells: given, faults }: CsvLine, header: Header, from: Columns): SourceRow {
  const { names, places, match, unsampled } = header
  const cells = header.isExport ? given.map(unguardFormula) : given
  for (let at = names.length; header.isWorkbook && at < cells.length; at++)
    unsampled.set(nameOfUnnamed(at), at)
  if (header.isWorkbook ? cells.length < names.length : cells.length !== names.length)
    return faultyRow(line, `has ${cells.length} columns, but the header has ${names.length}`, cells.join(','))
  for (const [place, reason] of faults ?? [])
    if (match.uses.has(names[place] ?? ''))
      return { ...faultyRow(line, reason), fault: { column: names[place] ?? null, value: null, reason } }
  for (const [name, at] of unsampled) {
    if (isBlank(cells[at])) continue
    from.sample(name, cells[at])
    unsampled.delete(name)
  }
  return rowOf(line, match, name => cells[places.get(name) ?? -1])
}
