import { Refusal } from '../../../sources/refusal.ts'

/** Ten years of eight car parks every five minutes; the memory of an import is bounded by it. */
export const MOST_READINGS = 10_000_000

/** The forms of a reading's time. */
export const WRITTEN = { instant: 0, local: 1, localWithoutYear: 2 } as const
export type Written = (typeof WRITTEN)[keyof typeof WRITTEN]

/** The number of free spaces of a rejected reading. */
export const REJECTED = -1
const UNKNOWN = 255

/** One reading as its file has it. */
export interface FileReading {
  /** Milliseconds since 1970: of an instant UTC, of a local time by the clock. */
  readonly time: number
  readonly written: Written
  /** Its place in the list of car parks. */
  readonly carPark: number
  readonly spaces: number
  readonly open: boolean | null
  /** Its status's place in the list of statuses, 0 for none. */
  readonly status: number
  readonly line: number
}

/** The readings of a file in its order, as columns of numbers: a fifth of the memory of objects. */
export interface ReadingTable {
  length: number
  /** As in {@link FileReading}, until each is an instant. */
  times: Float64Array
  written: Uint8Array
  carParks: Uint16Array
  spaces: Int32Array
  open: Uint8Array
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
    throw new Refusal(`the file has more than ${MOST_READINGS} readings; cut it into parts and import each`)
  const { length, ...columns } = createReadingTable(2 * table.length)
  for (const [name, column] of Object.entries(columns)) column.set(table[name as keyof typeof columns])
  Object.assign(table, columns)
}
