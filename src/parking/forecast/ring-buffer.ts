import { MEMORY_DAYS } from './parameters.ts'

/** Counts are kept by slots of five minutes of the wall clock, numbered since 1970 by that clock. */
export const SLOT_MINUTES = 5
export const SLOT_MS = SLOT_MINUTES * 60_000
export const SLOTS_A_DAY = 288

/** The number of kept slots; a slot's cell is its number modulo this. */
export const CELLS = MEMORY_DAYS * SLOTS_A_DAY

/** The value of a cell without a count. */
export const ABSENT = -1

/** A car park's counts of the last {@link MEMORY_DAYS} days, one for each slot. */
export interface RingBuffer {
  /** For inner loops that cannot afford a call: the cell of a slot is its number modulo {@link CELLS}. */
  readonly cells: Int32Array
  /** The present day. */
  day(): number
  /** Keeps a count, unless its slot lies before the last; the first count of a day drops the oldest days. */
  write(slot: number, spaces: number): void
  /** The count of a slot, or {@link ABSENT}. */
  at(slot: number): number
  /** The count of a slot, else of the slot before or after it, or {@link ABSENT}. */
  near(slot: number): number
  /** Drops the counts from one slot to another, both included. */
  clear(from: number, to: number): void
}

/** Creates an empty buffer. */
export function createRingBuffer(): RingBuffer {
  const cells = new Int32Array(CELLS).fill(ABSENT)
  let today = Number.NEGATIVE_INFINITY
  let last = Number.NEGATIVE_INFINITY

  const held = (slot: number) =>
    slot <= last && slot >= (today - MEMORY_DAYS + 1) * SLOTS_A_DAY ? (cells[cellOf(slot)] as number) : ABSENT

  function startDay(day: number): void {
    if (day - today >= MEMORY_DAYS) cells.fill(ABSENT)
    else
      for (let between = today + 1; between <= day; between++) {
        const start = cellOf(between * SLOTS_A_DAY)
        cells.fill(ABSENT, start, start + SLOTS_A_DAY)
      }
    today = day
  }

  return {
    cells,
    day: () => today,
    write(slot, spaces) {
      if (slot < last) return
      const day = Math.floor(slot / SLOTS_A_DAY)
      if (day > today) startDay(day)
      cells[cellOf(slot)] = spaces
      last = slot
    },
    at: held,
    near(slot) {
      const count = held(slot)
      if (count !== ABSENT) return count
      const before = held(slot - 1)
      return before === ABSENT ? held(slot + 1) : before
    },
    clear(from, to) {
      const first = Math.max(from, (today - MEMORY_DAYS + 1) * SLOTS_A_DAY)
      for (let slot = first; slot <= Math.min(to, last); slot++) cells[cellOf(slot)] = ABSENT
    },
  }
}

/** The cell of a slot. */
export const cellOf = (slot: number) => ((slot % CELLS) + CELLS) % CELLS
