import { type ImportStatistics, recordRejection } from '../../../releases/import/report.ts'
import { Refusal } from '../../../sources/source-row.ts'

/** Ten years of eight car parks every five minutes; the memory of an import is bounded by it. */
const MOST_READINGS = 10_000_000

/** The forms of a reading's time. */
export const WRITTEN = { instant: 0, local: 1, localWithoutYear: 2 } as const
export type Written = (typeof WRITTEN)[keyof typeof WRITTEN]

/** The number of free spaces of a rejected reading. */
export const REJECTED = -1
const UNKNOWN = 255

/** The readings of a file in its order, as columns of numbers: a fifth of the memory of objects. */
export interface ReadingTable {
  length: number
  /** Milliseconds since 1970: of an instant UTC, of a local time by the clock, until each is an instant. */
  times: Float64Array
  written: Uint8Array
  /** Places in the list of car parks. */
  carParks: Uint16Array
  spaces: Int32Array
  open: Uint8Array
  /** Places in the list of statuses, 0 for none. */
  statuses: Uint16Array
  lines: Uint32Array
}

/** Creates an empty table. */
export const createReadingTable = (room = 1 << 12): ReadingTable => ({
  length: 0,
  times: new Float64Array(room),
  written: new Uint8Array(room),
  carParks: new Uint16Array(room),
  spaces: new Int32Array(room),
  open: new Uint8Array(room),
  statuses: new Uint16Array(room),
  lines: new Uint32Array(room),
})

/** One reading as its file has it; the numbers are those of {@link ReadingTable}. */
interface FileReading extends Record<'time' | 'carPark' | 'spaces' | 'status' | 'line', number> {
  readonly written: Written
  readonly open: boolean | null
}

/** Adds a reading. Throws {@link Refusal} beyond {@link MOST_READINGS}. */
export function addReading(table: ReadingTable, reading: FileReading): void {
  if (table.length === table.times.length) grow(table)
  const at = table.length++
  table.times[at] = reading.time
  table.written[at] = reading.written
  table.carParks[at] = reading.carPark
  table.spaces[at] = reading.spaces
  table.open[at] = reading.open === null ? UNKNOWN : Number(reading.open)
  table.statuses[at] = reading.status
  table.lines[at] = reading.line
}

/** Whether the car park of a reading was open; null where it is not known. */
export const openAt = ({ open }: ReadingTable, at: number): boolean | null =>
  open[at] === UNKNOWN ? null : open[at] === 1

function grow(table: ReadingTable): void {
  if (table.length >= MOST_READINGS)
    throw new Refusal(`the file has more than ${MOST_READINGS} readings; split it and import each part`)
  const { length, ...columns } = createReadingTable(2 * table.length)
  for (const [name, column] of Object.entries(columns)) column.set(table[name as keyof typeof columns])
  Object.assign(table, columns)
}

/** Rejects a reading by its place in the table. */
export type RejectReading = (at: number, reason: string) => void

/** Creates the rejection of readings in a table; consecutive ones of one line and reason are one issue. */
export function readingRejection(
  table: ReadingTable,
  statistics: ImportStatistics,
  column: string,
): RejectReading {
  let last = { line: 0, reason: '' }
  return (at, reason) => {
    const line = table.lines[at] as number
    if (line === last.line && reason === last.reason) statistics.rejected++
    else recordRejection(statistics, { line, column, value: timeText(table, at), reason })
    last = { line, reason }
    table.spaces[at] = REJECTED
  }
}

/** The time nearly as the file has it. */
function timeText({ times, written }: ReadingTable, at: number): string {
  const text = new Date(times[at] as number).toISOString()
  if (written[at] === WRITTEN.instant) return text
  const local = text.replace('T', ' ').slice(0, 19)
  return written[at] === WRITTEN.local ? local : local.slice('YYYY-'.length)
}
