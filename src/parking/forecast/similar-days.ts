import type { DayFrame } from './day-frame.ts'
import {
  CLOSENESS,
  ENOUGH_SPACES,
  FEWEST_DAYS,
  FEWEST_OF_GROUP,
  HORIZONS,
  MEMORY_DAYS,
} from './parameters.ts'
import { ABSENT, type RingBuffer, SLOTS_A_DAY } from './ring-buffer.ts'

/** A count, its slot, and the distances in slots to the times that a forecast compares. */
export interface Present {
  readonly slot: number
  readonly spaces: number
  /** Back to the beginning of each of {@link CHANGES_OVER}. */
  readonly back: readonly number[]
  /** Ahead to each of {@link HORIZONS}. */
  readonly ahead: readonly number[]
}

/**
 * Forecasts the change of the count over each horizon by the analogue method: the weighted mean change on all kept days at the
 * same time. A day's weight depends on its kind and age (see {@link DayFrame}), and on its similarity to now. Similarity
 * compares the count and its changes over the last half, one and two hours. With each change come its standard deviation and
 * the share of the weight on days that ended with at least {@link ENOUGH_SPACES}. Undefined if too few days have counts.
 */
export function changeOnSimilarDays({ near }: RingBuffer, frame: DayFrame, present: Present) {
  const { slot, spaces, back, ahead } = present
  // At a distance of one closeness in one of the four, a day has two thirds of the weight. At least one space: some counts hardly move.
  const nearness = 2 * Math.max(frame.spread * CLOSENESS, 1) ** 2
  const countsBefore = back.map(steps => near(slot - steps))
  const sums = HORIZONS.map(() => ({ changes: 0, squares: 0, enough: 0, weight: 0, days: 0, ofGroup: 0 }))

  // The oldest day is left out: its changes up to now begin on a day that is no longer kept.
  for (let ago = 1; ago < MEMORY_DAYS - 1; ago++) {
    const then = slot - ago * SLOTS_A_DAY
    const count = near(then)
    if (count === ABSENT) continue
    let distance = (spaces - count) ** 2
    for (const [i, before] of countsBefore.entries()) {
      const beforeThen = near(then - (back[i] as number))
      // A change that is unknown on either day counts as just not similar.
      const isUnknown = before === ABSENT || beforeThen === ABSENT
      distance += isUnknown ? nearness / 2 : (count - beforeThen - (spaces - before)) ** 2
    }
    const weight = (frame.weights[ago] as number) / (1 + distance / nearness)
    for (const [i, sum] of sums.entries()) {
      const later = near(then + (ahead[i] as number))
      if (later === ABSENT) continue
      const change = later - count
      sum.changes += weight * change
      sum.squares += weight * change * change
      if (later >= ENOUGH_SPACES) sum.enough += weight
      sum.weight += weight
      sum.days++
      sum.ofGroup += frame.ofGroup[ago] as number
    }
  }
  if (sums.some(({ days, ofGroup }) => days < FEWEST_DAYS || ofGroup < FEWEST_OF_GROUP)) return undefined
  return sums.map(({ changes, squares, enough, weight }) => {
    const mean = changes / weight
    return {
      mean,
      deviation: Math.sqrt(Math.max(0, squares / weight - mean * mean)),
      enough: enough / weight,
    }
  })
}
