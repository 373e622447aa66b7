import { Refusal } from '../../../sources/refusal.ts'

/** Ten years of eight car parks every five minutes; beyond that a file is cut rather than held. */
export const MOST_READINGS = 10_000_000

/** How a reading's time is written. */
export const WRITTEN = { instant: 0, local: 1, localWithoutYear: 2 } as const
export type Written = (typeof WRITTEN)[keyof typeof WRITTEN]

/** What was rejected has this for its number of free spaces. */
export const REJECTED = -1
const UNTOLD = 255

/** One reading as its file has it. */
export interface FileReading {
  /** Milliseconds since 1970: of an instant UTC, of a local time by the clock. */
  readonly time: number
  readonly written: Written
  /** Its place in the list of car parks. */
  readonly carPark: number
  readonly spaces: number
  readonly open: boolean | null
  /** Its place in the list of words for the status, 0 for none. */
  readonly status: number
  readonly line: number
}

/** The readings of a file in its order, as columns of numbers: a fifth of the memory that objects take. */
export interface ReadingTable {
  readonly length: number
  /** As in {@link FileReading}, until each is an instant. */
  readonly times: Float64Array
  readonly written: Uint8Array
  readonly carParks: Uint16Array
  readonly spaces: Int32Array
  readonly statuses: Uint16Array
  readonly lines: Uint32Array
  openOf(at: number): boolean | null
  add(reading: FileReading): void
}

/** An empty table, which grows. */
export function createReadingTable(): ReadingTable {
  let length = 0
  let room = 1 << 12
  let times = new Float64Array(room)
  let written = new Uint8Array(room)
  let carParks = new Uint16Array(room)
  let spaces = new Int32Array(room)
  let open = new Uint8Array(room)
  let statuses = new Uint16Array(room)
  let lines = new Uint32Array(room)

  function grow(): void {
    if (length >= MOST_READINGS)
      throw new Refusal(`the file has more than ${MOST_READINGS} readings; cut it into parts and import each`)
    room *= 2
    times = larger(times, new Float64Array(room))
    written = larger(written, new Uint8Array(room))
    carParks = larger(carParks, new Uint16Array(room))
    spaces = larger(spaces, new Int32Array(room))
    open = larger(open, new Uint8Array(room))
    statuses = larger(statuses, new Uint16Array(room))
    lines = larger(lines, new Uint32Array(room))
  }

  return {
    get length() {
      return length
    },
    get times() {
      return times
    },
    get written() {
      return written
    },
    get carParks() {
      return carParks
    },
    get spaces() {
      return spaces
    },
    get statuses() {
      return statuses
    },
    get lines() {
      return lines
    },
    openOf: at => (open[at] === UNTOLD ? null : open[at] === 1),
    add(reading) {
      if (length === room) grow()
      times[length] = reading.time
      written[length] = reading.written
      carParks[length] = reading.carPark
      spaces[length] = reading.spaces
      open[length] = reading.open === null ? UNTOLD : Number(reading.open)
      statuses[length] = reading.status
      lines[length] = reading.line
      length++
    },
  }
}

function larger<T extends Float64Array | Uint8Array | Uint16Array | Int32Array | Uint32Array>(
  before: T,
  after: T,
): T {
  after.set(before)
  return after
}
