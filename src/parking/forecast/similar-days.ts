import type { DayFrame } from './day-frame.ts'
import {
  CHANGES_OVER,
  CLOSENESS,
  ENOUGH_SPACES,
  FEWEST_DAYS,
  FEWEST_OF_GROUP,
  HORIZONS,
  MEMORY_DAYS,
} from './parameters.ts'
import { ABSENT, CELLS, cellOf, type RingBuffer, SLOTS_A_DAY } from './ring-buffer.ts'

/** A count, its slot, and the distances in slots to the times that a forecast compares. */
export interface Present {
  readonly slot: number
  readonly spaces: number
  /** Back to the beginning of each of {@link CHANGES_OVER}. */
  readonly back: readonly number[]
  /** Ahead to each of {@link HORIZONS}. */
  readonly ahead: readonly number[]
}

/** The weighted changes of the count over a horizon on similar days. */
export interface SimilarChange {
  readonly mean: number
  /** The standard deviation. */
  readonly deviation: number
  /** The share of the weight on days that ended with at least {@link ENOUGH_SPACES}. */
  readonly enough: number
}

/**
 * Forecasts the change of the count over each horizon by the analogue method: the weighted mean change on all kept days at the
 * same time. A day's weight depends on its kind and age (see {@link DayFrame}), and on its similarity to now. Similarity
 * compares the count and its changes over the last half, one and two hours. Undefined if too few days have counts.
 */
export function changeOnSimilarDays(
  counts: RingBuffer,
  frame: DayFrame,
  present: Present,
): SimilarChange[] | undefined {
  const { cells } = counts
  const { slot, spaces, back, ahead } = present
  // At a distance of one closeness in one of the four, a day has two thirds of the weight. At least one space: some counts hardly move.
  const nearness = 2 * Math.max(frame.spread * CLOSENESS, 1) ** 2
  const changesNow = CHANGES_OVER.map((_, i) => {
    const before = counts.near(slot - (back[i] as number))
    return before === ABSENT ? Number.NaN : spaces - before
  })
  const weighed = new Float64Array(HORIZONS.length)
  const squares = new Float64Array(HORIZONS.length)
  const enough = new Float64Array(HORIZONS.length)
  const weights = new Float64Array(HORIZONS.length)
  const days = new Int32Array(HORIZONS.length)
  const ofGroup = new Int32Array(HORIZONS.length)

  const end = cellOf(slot)
  // The oldest day is left out: its changes up to now begin on a day that is no longer kept.
  for (let ago = 1; ago < MEMORY_DAYS - 1; ago++) {
    const cell = end - ago * SLOTS_A_DAY
    const count = cellNear(cells, cell)
    if (count === ABSENT) continue
    let distance = (spaces - count) ** 2
    for (let i = 0; i < CHANGES_OVER.length; i++) {
      const before = cellNear(cells, cell - (back[i] as number))
      const apart = count - before - (changesNow[i] as number)
      // A change that is unknown on either day counts as just not similar.
      distance += before === ABSENT || Number.isNaN(apart) ? nearness / 2 : apart * apart
    }
    const weight = (frame.weights[ago] as number) / (1 + distance / nearness)
    for (let i = 0; i < HORIZONS.length; i++) {
      const later = cellNear(cells, cell + (ahead[i] as number))
      if (later === ABSENT) continue
      const change = later - count
      weighed[i] = (weighed[i] as number) + weight * change
      squares[i] = (squares[i] as number) + weight * change * change
      if (later >= ENOUGH_SPACES) enough[i] = (enough[i] as number) + weight
      weights[i] = (weights[i] as number) + weight
      days[i] = (days[i] as number) + 1
      ofGroup[i] = (ofGroup[i] as number) + (frame.ofGroup[ago] as number)
    }
  }
  if (days.some(some => some < FEWEST_DAYS) || ofGroup.some(some => some < FEWEST_OF_GROUP)) return undefined
  return Array.from(weights, (weight, i) => {
    const mean = (weighed[i] as number) / weight
    const variance = (squares[i] as number) / weight - mean * mean
    return { mean, deviation: Math.sqrt(Math.max(0, variance)), enough: (enough[i] as number) / weight }
  })
}

/** Like {@link RingBuffer.near}, for cells that are certainly kept: from -{@link CELLS} on. */
function cellNear(cells: Int32Array, cell: number): number {
  const at = cell < 0 ? cell + CELLS : cell
  const count = cells[at] as number
  if (count !== ABSENT) return count
  const before = cells[at === 0 ? CELLS - 1 : at - 1] as number
  return before === ABSENT ? (cells[at === CELLS - 1 ? 0 : at + 1] as number) : before
}
