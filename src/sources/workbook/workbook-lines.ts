import { namesFound } from '../columns.ts'
import type { CsvLine } from '../csv/csv-lines.ts'
import { LONGEST_ROW, MOST_COLUMNS } from '../limits.ts'
import { isBlank, Refusal } from '../source-row.ts'
import { readArchive } from './archive.ts'
import { cellText } from './cell-text.ts'

const ROWS_AT_A_TIME = 500

/**
 * The rows with values of a workbook's first sheet, or of the sheet of that name, as lines of a table. The first is the
 * header, and the others are at least as wide. Throws {@link Refusal}.
 */
export async function* workbookLines(
  bytes: AsyncIterable<Buffer>,
  sheet: string | undefined,
): AsyncGenerator<readonly CsvLine[]> {
  // Imported lazily: few sources need it.
  const { HucreError, readXlsx, streamXlsxRows } = await import('hucre')
  const archive = await readArchive(bytes)
  let width: number | undefined
  let lines: CsvLine[] = []
  try {
    for await (const { index, values } of streamXlsxRows(archive, sheet === undefined ? {} : { sheet })) {
      const line = index + 1
      const cells = filledCells(line, values)
      if (cells.length === 0) continue
      width ??= cells.length
      while (cells.length < width) cells.push('')
      lines.push({ line, cells })
      if (lines.length < ROWS_AT_A_TIME) continue
      yield lines
      lines = []
    }
    if (width === undefined && sheet !== undefined) {
      const names: string[] = []
      await readXlsx(archive, { sheets: ({ name }) => names.push(name) === 0 })
      if (!names.includes(sheet))
        throw new Refusal(`the workbook has no sheet "${sheet}"; its sheets are ${namesFound(names)}`)
    }
  } catch (error) {
    // Errors of the reader; those with a code are of Node's decompression.
    const isOfContent = error instanceof HucreError || (error instanceof Error && 'code' in error)
    if (!isOfContent) throw error
    throw new Refusal(`the workbook is damaged (${error.message}); save it again`)
  }
  yield lines
}

/** The texts of a row up to its last value. Throws {@link Refusal} beyond the bounds of a row. */
function filledCells(line: number, values: readonly unknown[]): string[] {
  const cells = values.map(cellText)
  while (cells.length > 0 && isBlank(cells.at(-1))) cells.pop()
  if (cells.length > MOST_COLUMNS)
    throw new Refusal(`row ${line} has ${cells.length} columns; at most ${MOST_COLUMNS} are allowed`)
  if (cells.reduce((sum, { length }) => sum + length, 0) > LONGEST_ROW)
    throw new Refusal(`row ${line} has more than the ${LONGEST_ROW} characters that are allowed`)
  return cells
}
