import type { ImportStatistics } from '../../../releases/import/statistics.ts'
import { isBlank } from '../../../sources/blank.ts'
import type { CsvLine } from '../../../sources/csv-lines.ts'
import { readSpaces } from '../../feed/mapping/entry.ts'
import type { CarParkIndex } from './car-park-index.ts'
import { byFeedRule, MalformedCellError, readOpen, statusReader, timeReader } from './cells.ts'
import type { Header } from './header.ts'
import { addReading, type ReadingTable } from './reading-table.ts'
import { rejectReadings } from './rejections.ts'

/** Takes one line under the header. */
export type TakeRow = (row: CsvLine) => void

/** The collections that rows are added to. */
export interface Taken {
  readonly table: ReadingTable
  readonly carParks: CarParkIndex
  readonly statuses: (string | null)[]
  readonly statistics: ImportStatistics
}

/** The place of a count in its row, and the number of its car park. */
export interface Count {
  readonly place: number
  readonly carPark: number
}

/** Takes rows with a column for each car park; a blank cell is not a reading. */
export const wideRows = (header: Header, counts: readonly Count[], taken: Taken): TakeRow =>
  rowTaker(header, taken, cells => counts.filter(({ place }) => !isBlank(cells[place])))

/** Takes rows of one reading each. */
export function longRows(header: Header, taken: Taken): TakeRow {
  const { fields } = header
  const place = fields.get('spaces') ?? -1
  const codePlace = fields.get('code') ?? null
  const namePlace = fields.get('name') ?? -1
  const carParkOf = (cells: readonly string[]): number | undefined => {
    const name = cells[namePlace]?.trim() || undefined
    if (codePlace !== null) {
      const code = cells[codePlace]?.trim() ?? ''
      return byFeedRule(codePlace, () => taken.carParks.byCode(code, name ?? code))
    }
    if (name === undefined) throw new MalformedCellError(namePlace, 'is blank')
    return taken.carParks.byName(name)
  }
  return rowTaker(header, taken, cells => {
    const carPark = carParkOf(cells)
    return carPark === undefined ? [] : [{ place, carPark }]
  })
}

/** Reads the cells that both forms have. `countsOf` finds a row's counts; it may throw {@link MalformedCellError}. */
function rowTaker(
  { fields, names }: Header,
  { table, statuses, statistics }: Taken,
  countsOf: (cells: readonly string[]) => readonly Count[],
): TakeRow {
  const timeOf = timeReader()
  const statusOf = statusReader(statuses)

  function orReject(row: CsvLine, readings: () => number, take: () => void): void {
    try {
      take()
    } catch (error) {
      if (!(error instanceof MalformedCellError)) throw error
      const { place, message: reason } = error
      const column = place === null ? null : (names[place] ?? null)
      const value = place === null ? row.cells.join(',') : (row.cells[place] ?? null)
      rejectReadings(statistics, readings(), { line: row.line, column, value, reason })
    }
  }

  return row => {
    const { line, cells } = row
    let counts: readonly Count[] | undefined
    const readings = () => counts?.length ?? 1
    orReject(row, readings, () => {
      if (cells.length !== names.length)
        throw new MalformedCellError(null, `has ${cells.length} columns, but the header has ${names.length}`)
      counts = countsOf(cells)
      const { time, written } = timeOf(cells, fields.get('at'))
      const open = readOpen(cells, fields.get('open'))
      const status = statusOf(cells, fields.get('status'))
      for (const { place, carPark } of counts)
        orReject(
          row,
          () => 1,
          () => {
            const spaces = byFeedRule(place, () => readSpaces(cells[place]))
            addReading(table, { time, written, carPark, spaces, open, status, line })
          },
        )
    })
    statistics.read += readings()
  }
}
