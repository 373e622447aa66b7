import { setImmediate } from 'node:timers/promises'
import { coerceFlag, isoDate } from '../../../releases/import/coerce/values.ts'
import { Rejection } from '../../../releases/import/importable.ts'
import { createStatistics, type ImportStatistics, recordRejection } from '../../../releases/import/report.ts'
import { gunzipped } from '../../../sources/bytes.ts'
import { LONGEST_NAME } from '../../../sources/columns.ts'
import type { CsvLine } from '../../../sources/csv.ts'
import { tableLines } from '../../../sources/rows.ts'
import type { SourceOptions } from '../../../sources/source-options.ts'
import { isBlank, Refusal } from '../../../sources/source-row.ts'
import type { HistoricReading } from '../../../store/store.ts'
import { memoise } from '../../../values/memoise.ts'
import { cut } from '../../../values/text.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../values/time-units.ts'
import { addTo } from '../../../values/values.ts'
import { MalformedEntryError, readSpaces, readText } from '../../feed/mapping.ts'
import { instantsOf, localClock, readTime, type WrittenTime } from '../../local-clock.ts'
import { type CarParkIndex, type FileCarPark, indexCarParks, type KnownCarPark } from './car-park-index.ts'
import { type HistoryField, type HistoryHeader, readHeader } from './header.ts'

/** The options of reading a history file. */
export interface HistoryOptions extends FileTimeOptions {
  /** The known car parks. Without them, the code is the name in upper case and without blanks. */
  readonly carParks?: readonly KnownCarPark[]
  /** By the file's name of a column or car park: a column's usual name, a car park's code, or `-` to leave it out. */
  readonly map?: ReadonlyMap<string, string> | undefined
  /** How to read the file where its content does not tell. */
  readonly reading?: SourceOptions
  /** Called periodically with the number of rows read. */
  readonly onProgress?: (rows: number) => void
  /** Counted while the file is read, so that the numbers exist after a refusal too. */
  readonly statistics: HistoryStatistics
}

/** The readings of a history file. */
export interface History {
  /** In the order of time; created at each iteration. */
  readonly readings: Iterable<HistoricReading>
  /** When the earliest and the latest reading were taken, ISO 8601 UTC; null for a file without readings. */
  readonly first: string | null
  readonly last: string | null
  readonly carParks: readonly Readonly<FileCarPark>[]
  readonly ignoredColumns: readonly string[]
}

const ROWS_BETWEEN_PROGRESS = 1000
/** Ten years of eight car parks every five minutes. This bounds the memory of an import. */
const MOST_READINGS = 10_000_000

/**
 * Reads the table of a history of free spaces, CSV or a workbook, gzip or not: a column for each car park, or a row for each reading. Rows
 * that cannot be read are rejected. Throws `Refusal` if the whole file cannot be read.
 */
export async function readHistory(bytes: AsyncIterable<Buffer>, options: HistoryOptions): Promise<History> {
  const { carParks, statistics, map = new Map(), reading = {}, onProgress } = options
  /** Readings by day: sorting a day takes milliseconds, sorting millions of readings at once takes seconds. */
  const days = new Map<number, FileReading[]>()
  let count = 0
  function take(reading: FileReading): void {
    if (++count > MOST_READINGS)
      throw new Refusal(`the file has more than ${MOST_READINGS} readings; split it and import each part`)
    addTo(days, Math.floor(reading.at / DAY_MS), reading)
  }
  function open(names: readonly string[]) {
    const header = readHeader(names, map)
    const index = indexCarParks(carParks, header, statistics)
    return { header, index, read: rowReader(header, index, options, take) }
  }
  let file: ReturnType<typeof open> | undefined
  let rows = 0
  for await (const lines of tableLines(gunzipped(bytes), reading))
    for (const line of lines) {
      if (line.cells.every(isBlank)) continue
      if (file === undefined) file = open(line.cells)
      else {
        file.read(line)
        if (++rows % ROWS_BETWEEN_PROGRESS === 0) onProgress?.(rows)
      }
    }
  if (file === undefined) throw new Refusal('the source is empty; nothing was read from it')
  const { header, index } = file
  const kept = await keepFirst(days, textAt(header.times, header.names), statistics)
  statistics.rejections.first.sort((a, b) => (a.line ?? 0) - (b.line ?? 0))
  return {
    readings: { [Symbol.iterator]: () => listed(kept) },
    first: timeOf(kept[0]?.[0]),
    last: timeOf(kept.at(-1)?.at(-1)),
    carParks: index.carParks(),
    ignoredColumns: header.fields.has('spaces') ? header.others.map(({ name }) => name) : [],
  }
}

const timeOf = (reading?: FileReading) => (reading === undefined ? null : new Date(reading.at).toISOString())

/** The readings in the order of time, by day. If a car park has several readings at one time, the file's first one stays. */
async function keepFirst(
  days: ReadonlyMap<number, FileReading[]>,
  column: string,
  statistics: ImportStatistics,
): Promise<FileReading[][]> {
  const all: FileReading[][] = []
  for (const [, readings] of [...days].sort(([a], [b]) => a - b)) {
    const kept = new Map<string, FileReading>()
    for (const reading of readings.sort((a, b) => a.at - b.at)) {
      const { at, carPark, spaces, open, status, line } = reading
      const key = `${at} ${carPark.code}`
      const before = kept.get(key)
      if (before === undefined) {
        kept.set(key, reading)
        carPark.readings++
      } else if (before.spaces === spaces && before.open === open && before.status === status)
        statistics.skipped++
      else
        recordRejection(statistics, {
          line,
          column,
          value: new Date(at).toISOString(),
          reason: `is another reading of ${carPark.code} at the same time than on line ${before.line}`,
        })
    }
    statistics.accepted += kept.size
    all.push([...kept.values()])
    await setImmediate()
  }
  return all
}

function* listed(days: readonly FileReading[][]): Generator<HistoricReading> {
  for (const readings of days)
    for (const { at, carPark, spaces, open, status } of readings)
      yield { at, code: carPark.code, name: carPark.name, spaces, open, status }
}

/** A reading of a file. */
interface FileReading extends Omit<HistoricReading, 'code' | 'name'> {
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
function rowReader(
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

/** Options for reading the times of a file. */
interface FileTimeOptions {
  /** The zone of times that are written without an offset. */
  readonly timeZone: string
  /** The year of the file's first time, if the times are written without a year. */
  readonly year?: number | undefined
  /** Later times are rejected. */
  readonly now?: Date
}

/** A time of a file. */
interface FileTime {
  /** Milliseconds since 1970 UTC. For a time that clocks show twice, the earlier instant; for a skipped time, an hour later. */
  readonly at: number
  /** How often the clocks show the time: never in the hour that they skip, twice in the hour that they repeat. */
  readonly shown: number
}

const WITHOUT_YEAR = /^\d\d-\d\d[T ]\d\d:\d\d[\d:.]*$/i

const FORMS =
  'YYYY-MM-DD HH:MM:SS or DD/MM/YYYY HH:MM:SS, with or without an offset such as Z, or MM-DD HH:MM:SS with --year'

const HALF_YEAR_MS = 183 * DAY_MS
/** How far the feed's clock may be ahead of this one (design 7). */
const SKEW_MS = MINUTE_MS

/** Creates a function that reads the times of a file, in the file's order. The function throws `MalformedEntryError`. */
export function fileTimeReader({ timeZone, year: firstYear, now = new Date() }: FileTimeOptions) {
  const clock = localClock(timeZone)
  let last: number | undefined

  /** A time without a year gets the year that brings it nearest to the time before. */
  function nearest(text: string): WrittenTime | undefined {
    if (firstYear === undefined)
      throw new Refusal('the times in the file have no year; give that of the first, as --year 2024')
    const before = last
    const year = before === undefined ? firstYear : new Date(before).getUTCFullYear()
    const near = [year, year - 1, year + 1].map(each => readTime(`${each}-${text}`, clock))
    const found =
      before === undefined
        ? near[0]
        : near.find(time => time && Math.abs(time.wallTime - before) <= HALF_YEAR_MS)
    last = found?.wallTime ?? last
    return found
  }

  return (text: string): FileTime => {
    const time = WITHOUT_YEAR.test(text) ? nearest(text) : readTime(isoDate(text), clock)
    const instants = time?.instants ?? []
    const isSkipped = time !== undefined && instants.length === 0
    // Nothing was counted before 1970.
    const [at = -1] = isSkipped ? instantsOf(time.wallTime + HOUR_MS, clock) : instants
    if (at < 0) throw new MalformedEntryError(`is not a time; allowed: ${FORMS}`)
    if (at > now.getTime() + SKEW_MS) throw new MalformedEntryError('lies in the future')
    return { at, shown: instants.length }
  }
}
