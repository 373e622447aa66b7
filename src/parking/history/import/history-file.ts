import { setImmediate } from 'node:timers/promises'
import { type ImportStatistics, recordRejection } from '../../../releases/import/report.ts'
import { gunzipped } from '../../../sources/bytes.ts'
import { tableLines } from '../../../sources/rows.ts'
import type { SourceOptions } from '../../../sources/source-options.ts'
import { isBlank, Refusal } from '../../../sources/source-row.ts'
import type { HistoricReading } from '../../../store/store.ts'
import { DAY_MS } from '../../../values/time-units.ts'
import { addTo } from '../../../values/values.ts'
import { type FileCarPark, indexCarParks, type KnownCarPark } from './car-park-index.ts'
import type { FileTimeOptions } from './file-times.ts'
import { readHeader } from './header.ts'
import { type FileReading, type HistoryStatistics, rowReader, textAt } from './row-reader.ts'

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
