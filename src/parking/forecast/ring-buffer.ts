import { HOUR_MS, MINUTE_MS } from '../../values/time-units.ts'
import type { LocalClock } from '../local-clock.ts'
import { CHANGES_OVER, HORIZONS, MEMORY_DAYS } from './parameters.ts'

/** Counts are kept by slots of five minutes of the wall clock, numbered since 1970 by that clock. */
export const SLOT_MINUTES = 5
export const SLOT_MS = SLOT_MINUTES * MINUTE_MS
export const SLOTS_A_DAY = 288

/** The number of kept slots; a slot's cell is its number modulo this. */
export const CELLS = MEMORY_DAYS * SLOTS_A_DAY

/** The value of a cell without a count. */
export const ABSENT = -1

/** A car park's counts of the last {@link MEMORY_DAYS} days, one for each slot. */
export type RingBuffer = ReturnType<typeof createRingBuffer>

/** Creates an empty buffer. */
export function createRingBuffer() {
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
    /** For inner loops that cannot afford a call: the cell of a slot is its number modulo {@link CELLS}. */
    cells,
    /** The present day. */
    day: () => today,
    /** Keeps a count, unless its slot lies before the last; the first count of a day drops the oldest days. */
    write(slot: number, spaces: number): void {
      if (slot < last) return
      const day = Math.floor(slot / SLOTS_A_DAY)
      if (day > today) startDay(day)
      cells[cellOf(slot)] = spaces
      last = slot
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
      const first = Math.max(from, (today - MEMORY_DAYS + 1) * SLOTS_A_DAY)
      for (let slot = first; slot <= Math.min(to, last); slot++) cells[cellOf(slot)] = ABSENT
    },
  }
}

/** The cell of a slot. */
export const cellOf = (slot: number) => ((slot % CELLS) + CELLS) % CELLS

const FARTHEST_MS = Math.max(...CHANGES_OVER, ...HORIZONS) * MINUTE_MS

/** The distances in slots of the wall clock from a time to those that a forecast compares. */
export interface Steps {
  /** Back to the beginning of each of {@link CHANGES_OVER}. */
  readonly back: readonly number[]
  /** Ahead to each of {@link HORIZONS}. */
  readonly ahead: readonly number[]
}

/** The steps without a change of clock. */
export const USUAL_STEPS: Steps = {
  back: CHANGES_OVER.map(minutes => minutes / SLOT_MINUTES),
  ahead: HORIZONS.map(minutes => minutes / SLOT_MINUTES),
}

/** Creates the slots of a clock, which is read once an hour, since it does not change within one. */
export function wallSlots(clock: LocalClock) {
  let hour = Number.NaN
  let offset = 0
  let changesAround = false

  function turnTo(at: number): void {
    const present = Math.floor(at / HOUR_MS)
    if (present === hour) return
    hour = present
    const start = hour * HOUR_MS
    const end = start + HOUR_MS - 1
    offset = clock.wallTime(start) - start
    const length = end + FARTHEST_MS - (start - FARTHEST_MS)
    changesAround = clock.wallTime(end + FARTHEST_MS) - clock.wallTime(start - FARTHEST_MS) !== length
  }
  function slotAt(at: number): number {
    turnTo(at)
    return Math.round((at + offset) / SLOT_MS)
  }
  return {
    /** The slot that begins nearest to an instant. */
    slotAt,
    /** The steps at an instant: {@link USUAL_STEPS}, except round a change of clock. */
    stepsAt(at: number): Steps {
      turnTo(at)
      if (!changesAround) return USUAL_STEPS
      const slot = slotAt(at)
      return {
        back: CHANGES_OVER.map(minutes => slot - slotAt(at - minutes * MINUTE_MS)),
        ahead: HORIZONS.map(minutes => slotAt(at + minutes * MINUTE_MS) - slot),
      }
    },
  }
}
