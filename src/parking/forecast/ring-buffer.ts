import { MINUTE_MS } from '../../values/time-units.ts'
import { HORIZONS, MEMORY_DAYS } from './parameters.ts'

/** Counts are kept by slots of five minutes of the wall clock, numbered since 1970 by that clock. */
export const SLOT_MINUTES = 5
export const SLOT_MS = SLOT_MINUTES * MINUTE_MS
export const SLOTS_A_DAY = 288

/** The number of kept slots; a slot's cell is its number modulo this. */
const CELLS = MEMORY_DAYS * SLOTS_A_DAY

/** The value of a cell without a count. */
export const ABSENT = -1

/** A car park's counts of the last {@link MEMORY_DAYS} days, one for each slot. */
export type RingBuffer = ReturnType<typeof createRingBuffer>

/** Creates an empty buffer. */
export function createRingBuffer() {
  const cells = new Int32Array(CELLS).fill(ABSENT)
  let today = Number.NEGATIVE_INFINITY

  function isKept(slot: number): boolean {
    const day = Math.floor(slot / SLOTS_A_DAY)
    return day <= today && day > today - MEMORY_DAYS
  }
  const held = (slot: number) => (isKept(slot) ? (cells[cellOf(slot)] as number) : ABSENT)

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
    /** All kept counts and {@link ABSENT}, in no order. */
    cells,
    /** The present day. */
    day: () => today,
    /** Keeps a count; slots come in order. The first count of a day drops the oldest days. */
    write(slot: number, spaces: number): void {
      const day = Math.floor(slot / SLOTS_A_DAY)
      if (day > today) startDay(day)
      cells[cellOf(slot)] = spaces
    },
    /** The count of a slot, or {@link ABSENT}. */
    at: held,
    /** The count of a slot, else of the slot before or after it, or {@link ABSENT}. */
    near(slot: number): number {
      const count = held(slot)
      if (count !== ABSENT) return count
      const before = held(slot - 1)
      return before === ABSENT ? held(slot + 1) : before
    },
    /** Drops the counts from one slot to another, both included. */
    clear(from: number, to: number): void {
      for (let slot = from; slot <= to; slot++) if (isKept(slot)) cells[cellOf(slot)] = ABSENT
    },
  }
}

/** The remainder from 0 on, also of a negative number. */
export const modulo = (number: number, divisor: number) => ((number % divisor) + divisor) % divisor

/** The cell of a slot. */
const cellOf = (slot: number) => modulo(slot, CELLS)

/** The horizons in slots, except over a change of clock. */
export const STEPS_AHEAD = HORIZONS.map(minutes => minutes / SLOT_MINUTES)
