import type { LocalClock } from '../local-clock.ts'
import { CHANGES_OVER, HORIZONS } from './parameters.ts'
import { SLOT_MINUTES, SLOT_MS } from './ring-buffer.ts'

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
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

/** The slots of instants by the wall clock. */
export interface WallSlots {
  /** The slot that begins nearest to an instant. */
  slotAt(at: number): number
  /** The steps at an instant: {@link USUAL_STEPS}, except round a change of clock. */
  stepsAt(at: number): Steps
}

/** Creates the slots of a clock, which is read once an hour, since it does not change within one. */
export function wallSlots(clock: LocalClock): WallSlots {
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
    slotAt,
    stepsAt(at) {
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
