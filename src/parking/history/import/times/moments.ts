import { REJECTED, type ReadingTable, WRITTEN } from '../reading-table.ts'

/** The free spaces of all car parks at one time, NaN where there is none. */
export interface Moment {
  /** Milliseconds since 1970, by whatever clock the moments compared have in common. */
  readonly time: number
  /** By number of the car park. */
  readonly spaces: Float64Array
}

/** The usual steps between consecutive moments. */
export interface Rhythm {
  /** Milliseconds from one to the next, and their usual deviation. */
  readonly step: number
  readonly stepDeviation: number
  /** By car park: the usual change of its count in one step. */
  readonly moves: Float64Array
}

/** The feed's own interval, for a file with too few readings beside the overlap. */
const USUAL_STEP_MS = 300_000
const LEAST_STEPS = 3
const LEAST_DEVIATION = 0.02
const LEAST_MOVE = 0.25
/** The prior: this many steps of one space. */
const STEPS_BEFOREHAND = 5

/** No step deviates more than one over a gap: readings may be missing, and a count may jump. */
const MOST_OF_TIME = 8
const MOST_OF_COUNT = 6
/** But two moments of a pass are not simultaneous. */
const AT_ONCE = 16

/** Learns the rhythm from sequences of moments in the order of time. */
export function rhythmOf(rows: readonly (readonly Moment[])[], carParks: number): Rhythm {
  const pairs = rows.flatMap(row => row.slice(1).map((after, at) => [row[at] as Moment, after] as const))
  const steps = pairs.map(([before, after]) => after.time - before.time)
  const step = steps.length < LEAST_STEPS ? USUAL_STEP_MS : median(steps)
  const deviation = steps.length < LEAST_STEPS ? 0 : median(steps.map(each => Math.abs(each - step)))
  const moves = Float64Array.from({ length: carParks }, (_, carPark) => {
    const seen = pairs
      .map(([before, after]) =>
        Math.abs((after.spaces[carPark] as number) - (before.spaces[carPark] as number)),
      )
      .filter(move => !Number.isNaN(move))
    const sum = seen.reduce((total, move) => total + move, STEPS_BEFOREHAND)
    return Math.max(sum / (seen.length + STEPS_BEFOREHAND), LEAST_MOVE)
  })
  return { step, stepDeviation: Math.max(deviation, step * LEAST_DEVIATION), moves }
}

/**
 * The deviation of a step from one moment to another, in usual deviations: that of its duration from the rhythm, plus
 * that of every count from the one before.
 */
export function deviation(before: Moment, after: Moment, { step, stepDeviation, moves }: Rhythm): number {
  const span = after.time - before.time
  let sum = span < step / 2 ? AT_ONCE : Math.min(Math.abs(span - step) / stepDeviation, MOST_OF_TIME)
  // Over a gap counts move further, as a walk does.
  const spread = Math.sqrt(Math.max(span / step, 1))
  for (let carPark = 0; carPark < moves.length; carPark++) {
    const move = Math.abs((after.spaces[carPark] as number) - (before.spaces[carPark] as number))
    if (!Number.isNaN(move)) sum += Math.min(move / ((moves[carPark] as number) * spread), MOST_OF_COUNT)
  }
  return sum
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}

/** A reading's place in the table, and a time that it may be of. */
export interface Timed {
  readonly at: number
  readonly time: number
}

/** The readings between two instants, ambiguous ones left out, in the order of time. */
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

/** Whether a car park has the same count at the same time again: the file has duplicate lines. */
export function hasRepeats({ carParks, spaces }: ReadingTable, readings: readonly Timed[]): boolean {
  const met = new Set(readings.map(({ at, time }) => `${time} ${carParks[at]} ${spaces[at]}`))
  return met.size < readings.length
}

/**
 * Groups the readings of one time into one moment, as the feed has one time for all; a car park with two makes another,
 * unless they are equal and `merging`. Returns the moments in the order of time, and the place of each reading's moment.
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
