import { coerceFlag } from '../../../releases/import/coerce/values.ts'
import { Rejection } from '../../../releases/import/importable.ts'
import { createStatistics, type ImportStatistics, recordRejection } from '../../../releases/import/report.ts'
import { LONGEST_NAME } from '../../../sources/columns.ts'
import type { CsvLine } from '../../../sources/csv.ts'
import { isBlank, Refusal } from '../../../sources/source-row.ts'
import type { HistoricReading } from '../../../store/store.ts'
import { memoise } from '../../../values/memoise.ts'
import { cut } from '../../../values/text.ts'
import { MalformedEntryError, readSpaces, readText } from '../../feed/mapping/entry.ts'
import type { CarParkIndex, FileCarPark } from './car-park-index.ts'
import { type FileTimeOptions, fileTimeReader } from './file-times.ts'
import type { HistoryField, HistoryHeader } from './header.ts'

/** A reading of a file. */
export interface FileReading extends Omit<HistoricReading, 'code' | 'name'> {
  readonly carPark: FileCarPark
  readonly line: number
}

/** The statistics of an import of history, so far; numbers are of readings. */
export interface HistoryStatistics extends ImportStatistics {
  /** Skipped readings with a local time that the clocks show twice: the file does not say which of the two is meant. */
  repeatedHour: number
  /** Readings with a local time that the clocks never show, moved on by an hour. */
  skippedHour: number
}

/** Creates the statistics of an import that has read nothing yet. */
export const createHistoryStatistics = (): HistoryStatistics => ({
  ...createStatistics(),
  repeatedHour: 0,
  skippedHour: 0,
})

/** The place of a count in its row, and its car park. */
interface Count {
  readonly place: number
  readonly carPark: FileCarPark
}

/** The text of cells that belong together. */
export const textAt = (places: readonly number[], cells: readonly string[]): string =>
  places.map(place => cells[place]?.trim() ?? '').join(' ')

/** Creates a function that reads a row by the feed's own rules, passes its readings to `take`, and counts all others. */
export function rowReader(
  header: HistoryHeader,
  index: CarParkIndex,
  { statistics, ...options }: FileTimeOptions & { readonly statistics: HistoryStatistics },
  take: (reading: FileReading) => void,
): (row: CsvLine) => void {
  const { fields, names, times } = header
  const columns = fields.has('spaces') ? undefined : columnsOf(header, index)
  const used = new Set([...fields.values(), ...(columns ?? []).map(({ place }) => place)])
  // Consecutive rows often have the same time.
  const timeOf = memoise(fileTimeReader(options), 1)
  const statusOf = memoise((text: string) => readText({ status: text }, 'status'))

  return ({ line, cells, faults }) => {
    /** Reads cells; a rejection names their columns. */
    function read<T>(places: readonly number[], readCells: (text: string) => T): T {
      const text = textAt(places, cells)
      try {
        return readCells(text)
      } catch (error) {
        if (!(error instanceof MalformedEntryError || error instanceof Rejection)) throw error
        throw new Rejection(textAt(places, names), text, error.message)
      }
    }

    /** Reads the cell of a field; null if it is blank, or the file has no such column. */
    function readField<T>(field: HistoryField, readCell: (text: string) => T): T | null {
      const place = fields.get(field)
      return place === undefined || isBlank(cells[place]) ? null : read([place], readCell)
    }

    function readCounts(): readonly Count[] {
      // A blank cell of a car park's column is not a reading.
      if (columns !== undefined) return columns.filter(({ place }) => !isBlank(cells[place]))
      const key = fields.has('code') ? 'code' : 'name'
      const carPark = read([fields.get(key) ?? -1], text => {
        if (key === 'code') return index.byCode(text, readField('name', name => name) ?? text)
        return index.byName(readText({ name: text }, 'name'))[0]
      })
      return carPark === undefined ? [] : [{ place: fields.get('spaces') ?? -1, carPark }]
    }

    function reject(error: unknown, readings: number): void {
      if (!(error instanceof Rejection)) throw error
      const { field: column, value, message: reason } = error
      recordRejection(statistics, { line, column, value: cut(String(value), LONGEST_NAME), reason })
      statistics.rejected += readings - 1
    }

    // A row counts as one reading until it shows how many it has.
    let readings = 1
    try {
      if (cells.length !== names.length) {
        const reason = `has ${cells.length} columns, but the header has ${names.length}`
        throw new Rejection(null, cells.join(','), reason)
      }
      for (const [place, reason] of faults ?? [])
        if (used.has(place)) throw new Rejection(names[place] ?? null, cells[place], reason)
      const counts = readCounts()
      readings = counts.length
      if (readings === 0) return
      const { at, shown } = read(times, timeOf)
      const open = readField('open', text => coerceFlag(text, 'open'))
      const status = readField('status', statusOf)
      for (const { place, carPark } of counts)
        try {
          const spaces = read([place], readSpaces)
          if (shown === 0) statistics.skippedHour++
          if (shown === 2) {
            statistics.repeatedHour++
            statistics.skipped++
          } else take({ at, carPark, spaces, open, status, line })
        } catch (error) {
          reject(error, 1)
        }
    } catch (error) {
      reject(error, readings)
    } finally {
      statistics.read += readings
    }
  }
}

/** The columns of car parks. Throws {@link Refusal} if two columns are for the same car park. */
function columnsOf({ others }: HistoryHeader, index: CarParkIndex): Count[] {
  const columns = new Map<FileCarPark, (typeof others)[number]>()
  const carParks = index.byName(...others.map(({ name }) => name))
  for (const [at, column] of others.entries()) {
    const carPark = carParks[at]
    if (carPark === undefined) continue
    const before = columns.get(carPark)
    if (before !== undefined)
      throw new Refusal(
        `"${before.name}" and "${column.name}" are both the car park ${carPark.code}; leave one out with --map "${column.name}=-"`,
      )
    columns.set(carPark, column)
  }
  return [...columns].map(([carPark, { place }]) => ({ place, carPark }))
}
