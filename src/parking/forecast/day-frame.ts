import { type KindOfDay, sameSort } from './day-kind.ts'
import { ABSENT, type CountGrid } from './ring-buffer.ts'
import { HALF_AFTER_DAYS, MEMORY_DAYS, OTHER_SORT, SAME_SORT } from './rules.ts'

/** What stays the same through a day of forecasts. */
export interface DayFrame {
  /** The standard deviation of all counts held. */
  readonly spread: number
  /** The largest count held. */
  readonly largest: number
  /** What the day so many days ago counts, by its kind and age; what it is at 0 does not matter. */
  readonly weights: Float64Array
  /** 1 where the day so many days ago is of today's sort. */
  readonly ofSort: Uint8Array
}

/** What a day so many days ago counts by its age. */
const AGED = Float64Array.from({ length: MEMORY_DAYS }, (_, ago) => 0.5 ** (ago / HALF_AFTER_DAYS))

/** Works out the frame of the grid's present day. */
export function dayFrame(grid: CountGrid, kindOf: KindOfDay): DayFrame {
  const today = grid.day()
  const kind = kindOf(today)
  const weights = new Float64Array(MEMORY_DAYS)
  const ofSort = new Uint8Array(MEMORY_DAYS)
  for (let ago = 0; ago < MEMORY_DAYS; ago++) {
    const other = kindOf(today - ago)
    const alike = sameSort(kind, other)
    ofSort[ago] = alike ? 1 : 0
    weights[ago] = (other === kind ? 1 : alike ? SAME_SORT : OTHER_SORT) * (AGED[ago] as number)
  }
  return { ...extent(grid.cells), weights, ofSort }
}

function extent(cells: Int32Array): { spread: number; largest: number } {
  let count = 0
  let sum = 0
  let squares = 0
  let largest = 0
  // Each day of each car park goes through all cells: an iterator would take three times as long.
  for (let i = 0; i < cells.length; i++) {
    const spaces = cells[i] as number
    if (spaces === ABSENT) continue
    count++
    sum += spaces
    squares += spaces * spaces
    if (spaces > largest) largest = spaces
  }
  const mean = sum / Math.max(count, 1)
  return { spread: Math.sqrt(Math.max(0, squares / Math.max(count, 1) - mean * mean)), largest }
}
