import type { MeasuredError } from './forecast.ts'
import { ABSENT, type CountGrid, SLOT_MINUTES, SLOTS_A_DAY } from './ring-buffer.ts'
import {
  BLOCK_HOURS,
  FEWEST_OUTCOMES,
  HORIZONS,
  MEASURED_DAYS,
  MEMORY_DAYS,
  MOST_OUTCOMES,
  TAIL,
} from './rules.ts'

/** A forecast is noted down each so many slots, every half hour: more would cost more and, being much alike, tell no more. */
export const NOTED_EVERY = 6

/** So many slots make a block of hours. */
export const BLOCK_SLOTS = (BLOCK_HOURS * 60) / SLOT_MINUTES

const NOTES_A_DAY = SLOTS_A_DAY / NOTED_EVERY
const NOTES = MEMORY_DAYS * NOTES_A_DAY
const STEPS = HORIZONS.map(minutes => minutes / SLOT_MINUTES)
const NOTES_A_BLOCK = BLOCK_SLOTS / NOTED_EVERY
const FIELDS = 3
/** What is noted from one slot, for all horizons. */
const NOTE_LENGTH = HORIZONS.length * FIELDS

/** What was forecast from one slot for one horizon; without an interval low and high are {@link ABSENT}. */
export interface Note {
  readonly expected: number
  readonly low: number
  readonly high: number
}

/** How far outcomes lay from what was expected: a tenth below the first, a tenth above the second, or a little less. */
export type Margins = readonly [below: number, above: number]

/**
 * The forecasts made each half hour. Their outcomes are looked up in the grid when asked for, so that counts which
 * turn out to be bad take themselves out of every error.
 */
export interface MadeForecasts {
  /** Notes a forecast down (by horizon; undefined: none). Slots come in order. */
  note(slot: number, notes: readonly (Note | undefined)[]): void
  /** Drops the forecasts that started from one slot to another, both included. */
  clear(from: number, to: number): void
  /** What the latest outcomes of a slot's block of hours tell of the error at a horizon; undefined where they are too few. */
  margins(slot: number, horizon: number): Margins | undefined
  /** The error of the last four weeks in a slot's block of hours; null where nothing is known. */
  measured(slot: number, horizon: number): MeasuredError | null
}

/** Starts without any forecast. */
export function madeForecasts(grid: CountGrid): MadeForecasts {
  const notes = new Int32Array(NOTES * NOTE_LENGTH).fill(ABSENT)
  let last = Number.NEGATIVE_INFINITY

  /** Where the notes of a slot begin. */
  const place = (slot: number) => {
    const note = Math.floor(slot / NOTED_EVERY) % NOTES
    return (note < 0 ? note + NOTES : note) * NOTE_LENGTH
  }
  const forget = (from: number, to: number) => {
    for (let slot = from; slot <= to; slot += NOTED_EVERY) {
      const at = place(slot)
      notes.fill(ABSENT, at, at + NOTE_LENGTH)
    }
  }

  /** Calls back with each forecast of a block that has met its outcome, the latest first, until that returns false. */
  function eachOutcome(
    slot: number,
    horizon: number,
    days: number,
    take: (from: number, at: number, outcome: number) => boolean,
  ): void {
    const step = STEPS[horizon] as number
    const block = Math.floor(slot / BLOCK_SLOTS) * BLOCK_SLOTS
    for (let ago = 0; ago < days; ago++) {
      const start = block - ago * SLOTS_A_DAY
      const first = place(start) + horizon * FIELDS
      for (let i = NOTES_A_BLOCK - 1; i >= 0; i--) {
        const from = start + i * NOTED_EVERY
        const at = first + i * NOTE_LENGTH
        if (from > last || notes[at] === ABSENT) continue
        const outcome = grid.near(from + step)
        if (outcome !== ABSENT && !take(from, at, outcome)) return
      }
    }
  }

  return {
    note(slot, made) {
      // What was noted a whole memory ago must not pass for new.
      forget(Math.max(last + NOTED_EVERY, slot - (NOTES - 1) * NOTED_EVERY), slot)
      last = slot
      const at = place(slot)
      for (const [horizon, note] of made.entries())
        if (note !== undefined) notes.set([note.expected, note.low, note.high], at + horizon * FIELDS)
    },
    clear(from, to) {
      const oldest = last - (NOTES - 1) * NOTED_EVERY
      const first = Math.max(Math.ceil(from / NOTED_EVERY) * NOTED_EVERY, oldest)
      forget(first, Math.min(to, last))
    },
    margins(slot, horizon) {
      const errors = new Int32Array(MOST_OUTCOMES)
      let count = 0
      eachOutcome(slot, horizon, MEMORY_DAYS - 1, (_from, at, outcome) => {
        errors[count++] = outcome - (notes[at] as number)
        return count < MOST_OUTCOMES
      })
      if (count < FEWEST_OUTCOMES) return undefined
      const sorted = errors.subarray(0, count).sort()
      return [quantile(sorted, TAIL), quantile(sorted, 1 - TAIL)]
    },
    measured(slot, horizon) {
      let count = 0
      let ours = 0
      let asNow = 0
      let within = 0
      eachOutcome(slot, horizon, MEASURED_DAYS, (from, at, outcome) => {
        const start = grid.near(from)
        const low = notes[at + 1] as number
        if (low === ABSENT || start === ABSENT) return true
        count++
        ours += Math.abs(outcome - (notes[at] as number))
        asNow += Math.abs(outcome - start)
        if (outcome >= low && outcome <= (notes[at + 2] as number)) within++
        return true
      })
      if (count === 0) return null
      return {
        meanAbsolute: ours / count,
        meanAbsoluteAsNow: asNow / count,
        coverage: within / count,
        count,
      }
    },
  }
}

/** A quantile of sorted numbers, between two of them where it falls there. */
export function quantile(sorted: ArrayLike<number>, share: number): number {
  const place = (sorted.length - 1) * share
  const below = sorted[Math.floor(place)] as number
  const above = sorted[Math.ceil(place)] as number
  return below + (above - below) * (place - Math.floor(place))
}
