/** What was observed at one time: the free spaces of some car parks, NaN where one was not told. */
export interface Moment {
  /** Milliseconds since 1970, by whatever clock the moments compared have in common. */
  readonly time: number
  /** By number of the car park. */
  readonly spaces: Float64Array
}

/** How readings usually follow one another. */
export interface Rhythm {
  /** Milliseconds from one to the next, and by how much that usually differs. */
  readonly step: number
  readonly stepDeviation: number
  /** By car park: by how much a count usually moves in one step. */
  readonly moves: Float64Array
}

/** The feed's own rhythm, for a file that has too little beside the repeated hour. */
const USUAL_STEP_MS = 300_000
const LEAST_STEPS = 3
const LEAST_DEVIATION = 0.02
const LEAST_MOVE = 0.25
/** So many steps of one space are taken to have been seen before any. */
const STEPS_BEFOREHAND = 5

/** No step is less likely than one over a gap: readings may be missing, and a count may leap. */
const MOST_OF_TIME = 8
const MOST_OF_COUNT = 6
/** But two readings of a row do not follow one another at once. */
const AT_ONCE = 16

/** Learns the rhythm from rows of moments in the order of time. */
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
 * How unlikely it is that one moment follows another in one row of readings, as a sum of usual deviations: of the time
 * between them from the rhythm, and of every count from the one before.
 */
export function unlikeliness(before: Moment, after: Moment, { step, stepDeviation, moves }: Rhythm): number {
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
