import { type Columns, namesFound } from '../columns.ts'
import { type CsvLine, columnName, isHeader } from '../csv.ts'
import { LONGEST_ROW, MOST_COLUMNS, MOST_FIRST_LINES } from '../limits.ts'
import { isBlank, Refusal } from '../source-row.ts'
import { damaged, readArchive } from './archive.ts'
import { openWorkbook, type Sheet, type Workbook } from './workbook.ts'
import { readXml } from './xml.ts'

/**
 * Yields the rows with values of one sheet, as lines of a table. Reads the sheet with the name `wanted`, else the only
 * visible sheet with a header or, without `columns` or other sheets, the first visible sheet. Rows after the header are
 * at least as wide as the header. Throws {@link Refusal}.
 */
export async function* workbookLines(
  bytes: AsyncIterable<Buffer>,
  wanted: string | undefined,
  columns?: Columns,
): AsyncGenerator<readonly CsvLine[]> {
  const workbook = await openWorkbook(await readArchive(bytes))
  const sheet = await chooseSheet(workbook, wanted, columns)
  let width = 0
  for await (const lines of sheetLines(sheet, workbook)) {
    for (const { cells } of lines) {
      // The widest row may follow titles.
      if (width === 0 || columns !== undefined) width = Math.max(width, cells.length)
      while (cells.length < width) cells.push('')
    }
    yield lines
  }
}

async function chooseSheet(
  workbook: Workbook,
  wanted: string | undefined,
  columns: Columns | undefined,
): Promise<Sheet> {
  const { sheets } = workbook
  const names = namesFound(sheets.map(({ name }) => name))
  const sought = sheets.filter(({ name, isHidden }) => (wanted === undefined ? !isHidden : name === wanted))
  const [first] = sought
  if (first === undefined)
    throw new Refusal(`the workbook has no sheet "${wanted ?? ''}"; its sheets are ${names}`)
  if (columns === undefined || wanted !== undefined || sheets.length === 1) return first
  const found: Sheet[] = []
  for (const sheet of sought) if (await hasHeader(sheet, workbook, columns)) found.push(sheet)
  const [one] = found
  if (one === undefined || found.length > 1)
    throw new Refusal(
      `${found.length} visible sheets have the columns of this dataset in their first rows; name the right sheet with --sheet: ${names}`,
    )
  if (one !== sheets[0]) columns.notes.push(`the sheet "${one.name}" is read, of the sheets ${names}`)
  return one
}

async function hasHeader(sheet: Sheet, workbook: Workbook, columns: Columns): Promise<boolean> {
  let rows = 0
  for await (const lines of sheetLines(sheet, workbook))
    for (const { cells } of lines) {
      if (isHeader(cells, columns)) return true
      if (++rows === MOST_FIRST_LINES) return false
    }
  return false
}

interface Line extends CsvLine {
  readonly cells: string[]
}

/** The rows with values of a sheet, each up to its last value. */
async function* sheetLines(sheet: Sheet, { textOf }: Workbook): AsyncGenerator<readonly Line[]> {
  let lines: Line[] = []
  let line = 0
  let cells: string[] = []
  let faults: Map<number, string> | undefined
  let characters = 0
  let column = 0
  let attributes: Readonly<Record<string, string>> = {}
  let value = ''
  let isFormula = false

  function addCell(): void {
    column = attributes.r === undefined ? column + 1 : columnOf(attributes.r)
    // A formula that gives an empty text has the type of a text.
    if (isFormula && value === '' && attributes.t !== 'str' && column <= MOST_COLUMNS) {
      faults ??= new Map()
      faults.set(column - 1, `cell ${columnName(column)}${line} ${NO_RESULT}`)
    }
    const text = textOf(value, attributes)
    if (isBlank(text)) return
    if (column > MOST_COLUMNS)
      throw new Refusal(
        `row ${line} has a value in column ${column}; at most ${MOST_COLUMNS} columns are allowed`,
      )
    while (cells.length < column) cells.push('')
    cells[column - 1] = text
    characters += text.length
    if (characters > LONGEST_ROW)
      throw new Refusal(`row ${line} has more than the ${LONGEST_ROW} characters that are allowed`)
  }

  const pieces = readXml(sheet.rows(), {
    open(name, its) {
      if (name === 'row') {
        line = Number(its.r ?? line + 1)
        cells = []
        faults = undefined
        characters = 0
        column = 0
      } else if (name === 'c') {
        attributes = its
        value = ''
        isFormula = false
      }
    },
    close(name, text) {
      // The text of an inline string is in runs: elements with the name t.
      if (name === 'v' || name === 't') value += text
      else if (name === 'f') isFormula = true
      else if (name === 'c') addCell()
      else if (name === 'row' && (cells.length > 0 || faults !== undefined))
        lines.push({ line, cells, faults })
    },
  })
  for await (const _ of pieces) {
    yield lines
    lines = []
  }
}

/** The number of a cell's column, from 1: 28 for `AB7`. */
function columnOf(reference: string): number {
  const [, letters] = /^([A-Z]{1,3})\d+$/.exec(reference) ?? []
  if (letters === undefined) throw damaged('a cell has no proper name')
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0)
}

const NO_RESULT =
  'has a formula without a stored result; open the workbook in a spreadsheet program and save it'
