import type { DayFrame } from './day-frame.ts'
import { ABSENT, CELLS, type CountGrid, cellOf, SLOTS_A_DAY } from './ring-buffer.ts'
import { CHANGES_OVER, CLOSENESS, FEWEST_DAYS, FEWEST_OF_SORT, HORIZONS, MEMORY_DAYS } from './rules.ts'
import type { Steps } from './wall-slots.ts'

/** A count, where it lies by the wall clock, and how far from there the times that matter to it. */
export interface Present extends Steps {
  readonly slot: number
  readonly spaces: number
}

/**
 * Finds how the count changed over each horizon on the past days that were like this one at the same time: the mean over
 * all days held, each weighted by its kind and age (see {@link DayFrame}) and by how near its count, and the change of its
 * count over the last half, one and two hours, were to the present ones. Undefined where too few days have counts.
 */
export function changeOnSimilarDays(
  grid: CountGrid,
  frame: DayFrame,
  present: Present,
): number[] | undefined {
  const { cells } = grid
  const { slot, spaces, back, ahead } = present
  // A day that is one closeness away in one of the four counts two thirds; at least a space, for counts that hardly move.
  const nearness = 2 * Math.max(frame.spread * CLOSENESS, 1) ** 2
  const changesNow = CHANGES_OVER.map((_, i) => {
    const before = grid.near(slot - (back[i] as number))
    return before === ABSENT ? Number.NaN : spaces - before
  })
  const weighed = new Float64Array(HORIZONS.length)
  const weights = new Float64Array(HORIZONS.length)
  const days = new Int32Array(HORIZONS.length)
  const ofSort = new Int32Array(HORIZONS.length)

  const end = cellOf(slot)
  // The oldest day is left out, since its changes up to now would begin on a day no longer held.
  for (let ago = 1; ago < MEMORY_DAYS - 1; ago++) {
    const cell = end - ago * SLOTS_A_DAY
    const count = cellNear(cells, cell)
    if (count === ABSENT) continue
    let distance = (spaces - count) ** 2
    for (let i = 0; i < CHANGES_OVER.length; i++) {
      const before = cellNear(cells, cell - (back[i] as number))
      const apart = count - before - (changesNow[i] as number)
      // What is not known of either day counts as just not similar.
      distance += before === ABSENT || Number.isNaN(apart) ? nearness / 2 : apart * apart
    }
    const weight = (frame.weights[ago] as number) / (1 + distance / nearness)
    for (let i = 0; i < HORIZONS.length; i++) {
      const later = cellNear(cells, cell + (ahead[i] as number))
      if (later === ABSENT) continue
      weighed[i] = (weighed[i] as number) + weight * (later - count)
      weights[i] = (weights[i] as number) + weight
      days[i] = (days[i] as number) + 1
      ofSort[i] = (ofSort[i] as number) + (frame.ofSort[ago] as number)
    }
  }
  if (days.some(some => some < FEWEST_DAYS) || ofSort.some(some => some < FEWEST_OF_SORT)) return undefined
  return Array.from(weighed, (sum, i) => sum / (weights[i] as number))
}

/** As {@link CountGrid.near}, for cells that are known to be held: from -{@link CELLS} on. */
function cellNear(cells: Int32Array, cell: number): number {
  const at = cell < 0 ? cell + CELLS : cell
  const count = cells[at] as number
  if (count !== ABSENT) return count
  const before = cells[at === 0 ? CELLS - 1 : at - 1] as number
  return before === ABSENT ? (cells[at === CELLS - 1 ? 0 : at + 1] as number) : before
}
