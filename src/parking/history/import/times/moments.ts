import { REJECTED, type ReadingTable, WRITTEN } from '../reading-table.ts'
import type { Moment } from './likelihood.ts'

/** A reading's place in the table, and a time that it may be of. */
export interface Timed {
  readonly at: number
  readonly time: number
}

/** The readings between two instants, of those that are placed already, in the order of time. */
export function placedBetween(table: ReadingTable, from: number, to: number): Timed[] {
  const { length, times, written, spaces } = table
  const found: Timed[] = []
  for (let at = 0; at < length; at++) {
    const time = times[at] as number
    if (time >= from && time < to && written[at] === WRITTEN.instant && spaces[at] !== REJECTED)
      found.push({ at, time })
  }
  return found.sort((a, b) => a.time - b.time)
}

/** True where a car park has the same count at the same time again: the file has lines twice. */
export function hasRepeats({ carParks, spaces }: ReadingTable, readings: readonly Timed[]): boolean {
  const met = new Set(readings.map(({ at, time }) => `${time} ${carParks[at]} ${spaces[at]}`))
  return met.size < readings.length
}

/**
 * Readings of one time are one moment, as the feed has one time for all; a car park that has two makes another, unless
 * they are the same and `merging`. Gives the moments in the order of time, and the place among them of each reading's.
 */
export function momentsOf(
  { carParks: ofCarPark, spaces }: ReadingTable,
  carParks: number,
  readings: readonly Timed[],
  merging: boolean,
): { moments: Moment[]; places: number[] } {
  const byTime = new Map<number, Moment[]>()
  const found = readings.map(({ at, time }) => {
    const carPark = ofCarPark[at] as number
    const count = spaces[at] as number
    const same = byTime.get(time) ?? []
    byTime.set(time, same)
    let moment = same.find(each => {
      const before = each.spaces[carPark] as number
      return Number.isNaN(before) || (merging && before === count)
    })
    if (moment === undefined) {
      moment = { time, spaces: new Float64Array(carParks).fill(Number.NaN) }
      same.push(moment)
    }
    moment.spaces[carPark] = count
    return moment
  })
  const moments = [...byTime].sort(([a], [b]) => a - b).flatMap(([, same]) => same)
  const places = new Map(moments.map((moment, place) => [moment, place]))
  return { moments, places: found.map(moment => places.get(moment) ?? -1) }
}
