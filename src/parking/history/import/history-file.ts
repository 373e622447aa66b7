import { setImmediate } from 'node:timers/promises'
import { createStatistics, type ImportStatistics, recordWarning } from '../../../releases/import/report.ts'
import { gunzipped, openBytes } from '../../../sources/bytes.ts'
import type { SourceOptions } from '../../../sources/source-options.ts'
import { tableLines } from '../../../sources/table-lines.ts'
import type { HistoricReading } from '../../../store/store.ts'
import { localClock } from '../../local-clock.ts'
import type { FileCarPark } from './car-park-index.ts'
import { type FileRows, type FileRowsOptions, readFileRows } from './file-rows.ts'
import { openAt, REJECTED, type RejectReading, readingRejection } from './reading-table.ts'
import { sortInSteps } from './sort-in-steps.ts'
import { placeAmbiguousHours, type RepeatedHour } from './times/ambiguous-hours.ts'
import { isNewestFirst, placeLocalTimes } from './times/local-times.ts'
import { giveYears } from './times/years.ts'

/** The options of reading a history file. */
export interface HistoryOptions extends FileRowsOptions {
  /** The zone of times that are written without an offset. */
  readonly timeZone: string
  /** The year of the earliest reading, where times are written without one. */
  readonly year?: number | undefined
  /** How the file is to be read where its content does not tell. */
  readonly reading?: SourceOptions
  /** Readings later than this are rejected. */
  readonly now?: Date
  /** Counted up as the file is read, so that it is there after a refusal too. */
  readonly statistics?: ImportStatistics
}

/** A car park of a history file, with the number of its readings. */
export interface CountedCarPark extends FileCarPark {
  readonly readings: number
}

/** The readings of a history file, and the statistics of its rows; numbers are of readings. */
export interface History {
  /** In the order of time; created at each iteration. */
  readonly readings: Iterable<HistoricReading>
  /** Times of the earliest and the latest, milliseconds since 1970 UTC; null where there is none. */
  readonly first: number | null
  readonly last: number | null
  readonly carParks: readonly CountedCarPark[]
  readonly repeatedHours: readonly RepeatedHour[]
  readonly ignoredColumns: readonly string[]
  readonly statistics: ImportStatistics
}

/**
 * Reads the table of a history of free spaces, CSV or a workbook, gzip or not: a column for each car park, or a row for each reading. Rows
 * that cannot be read are rejected; throws `Refusal` where the file as a whole cannot be.
 */
export async function readHistory(bytes: AsyncIterable<Buffer>, options: HistoryOptions): Promise<History> {
  const { statistics = createStatistics(), timeZone, year, reading = {}, now = new Date() } = options
  const rows = await readFileRows(tableLines(gunzipped(bytes), reading), options, statistics)
  const reject = readingRejection(rows.table, statistics, rows.timeColumn)
  const repeatedHours = placeAll(rows, { timeZone, year }, reject)
  await setImmediate()
  const kept = await keepReadings(rows, now.getTime(), statistics, reject)
  await setImmediate()
  statistics.accepted += kept.length
  statistics.rejections.sort((a, b) => (a.line ?? 0) - (b.line ?? 0))
  warnOfUnknown(rows, statistics)
  const timeOf = (at: number | undefined) => (at === undefined ? null : (rows.table.times[at] as number))
  return {
    readings: { [Symbol.iterator]: () => readingsAt(kept, rows) },
    first: timeOf(kept[0]),
    last: timeOf(kept.at(-1)),
    carParks: counted(kept, rows),
    repeatedHours,
    ignoredColumns: rows.ignoredColumns,
    statistics,
  }
}

/** Reads a file into a list, names in it being codes but for case and blanks. Throws `Refusal`. */
export async function readHistoryFile(path: string, options: HistoryOptions): Promise<HistoricReading[]> {
  const { readings } = await readHistory((await openBytes(path)).chunks, options)
  return [...readings]
}

function placeAll(
  { table, carParks }: FileRows,
  { timeZone, year }: Pick<HistoryOptions, 'timeZone' | 'year'>,
  reject: RejectReading,
): RepeatedHour[] {
  const newestFirst = isNewestFirst(table)
  giveYears(table, { year, newestFirst }, at => reject(at, 'is not a date in its year'))
  const ambiguous = placeLocalTimes(table, { clock: localClock(timeZone), newestFirst }, at =>
    reject(at, `does not exist in ${timeZone}: the clocks went forward`),
  )
  return placeAmbiguousHours(table, carParks.length, ambiguous, at =>
    reject(at, 'is in the hour that occurs twice, with too many readings to separate its two passes'),
  )
}

/** How far the feed's clock may be ahead of this one (design 7). */
const SKEW_MS = 60_000

/** The places of the readings to keep, in the order of time and then of car parks as the file has them. */
async function keepReadings(
  { table, carParks }: FileRows,
  now: number,
  statistics: ImportStatistics,
  reject: RejectReading,
): Promise<Uint32Array> {
  const { times, spaces, carParks: ofCarPark, statuses, lines, open } = table
  const order = new Uint32Array(table.length)
  let length = 0
  for (let at = 0; at < table.length; at++) {
    if (spaces[at] === REJECTED) continue
    if ((times[at] as number) > now + SKEW_MS) reject(at, 'lies in the future')
    else order[length++] = at
  }
  const difference = (of: Float64Array | Uint16Array, a: number, b: number) =>
    (of[a] as number) - (of[b] as number)
  const sorted = await sortInSteps(
    order.subarray(0, length),
    (a, b) => difference(times, a, b) || difference(ofCarPark, a, b) || a - b,
  )
  let kept = -1
  return sorted.filter(at => {
    if (times[at] !== times[kept] || ofCarPark[at] !== ofCarPark[kept]) {
      kept = at
      return true
    }
    if ([spaces, statuses, open].every(column => column[at] === column[kept])) statistics.skipped++
    else {
      const code = carParks[ofCarPark[at] as number]?.code
      reject(at, `is another reading of ${code} at the same time than on line ${lines[kept]}`)
    }
    return false
  })
}

function* readingsAt(kept: Uint32Array, { table, carParks, statuses }: FileRows): Generator<HistoricReading> {
  for (const at of kept) {
    const { code, name } = carParks[table.carParks[at] as number] as FileCarPark
    yield {
      code,
      name,
      at: table.times[at] as number,
      spaces: table.spaces[at] as number,
      open: openAt(table, at),
      status: statuses[table.statuses[at] as number] ?? null,
    }
  }
}

function counted(kept: Uint32Array, { table, carParks }: FileRows): CountedCarPark[] {
  const readings = new Uint32Array(carParks.length)
  for (const at of kept) {
    const carPark = table.carParks[at] as number
    readings[carPark] = (readings[carPark] as number) + 1
  }
  return carParks.map((carPark, number) => ({ ...carPark, readings: readings[number] as number }))
}

function warnOfUnknown({ carParks }: FileRows, statistics: ImportStatistics): void {
  for (const { code, isKnown, meant } of carParks)
    if (!isKnown)
      recordWarning(statistics, {
        line: null,
        column: null,
        value: code,
        reason: `is not the code of a known car park${meant === undefined ? '' : `; ${meant} may be meant`}`,
      })
}
