/** The median of some figures, with the least and the greatest. */
export interface Spread {
  readonly median: number
  readonly min: number
  readonly max: number
}

/** The middle figure, or the mean of the two in the middle. Throws without figures. */
export function median(figures: readonly number[]): number {
  const sorted = figures.toSorted((a, b) => a - b)
  const upper = sorted[Math.floor(sorted.length / 2)]
  const lower = sorted[Math.floor((sorted.length - 1) / 2)]
  if (upper === undefined || lower === undefined) throw new RangeError('there is no median of nothing')
  return (lower + upper) / 2
}

/** The median and the range of some figures. Throws without figures. */
export function spread(figures: readonly number[]): Spread {
  return { median: median(figures), min: Math.min(...figures), max: Math.max(...figures) }
}

/** The cost of one server by the cost of another. */
export interface Quotient {
  /** The least cost of one by the least cost of the other, because other work on the machine only adds to a cost. */
  readonly ofLeast: number
  /** The first and the third quartile of the quotients within each round. */
  readonly quartiles: readonly [number, number]
  /** The greatest difference of `ofLeast` between the first, second and last third of the rounds, as a share. */
  readonly apart: number
}

/** The quotient of two lists of costs. Each list has one cost for each round. */
export function quotient(over: readonly number[], under: readonly number[]): Quotient {
  const ofLeast = (from: number, to?: number) =>
    Math.min(...over.slice(from, to)) / Math.min(...under.slice(from, to))
  const rounds = Float64Array.from(over, (cost, i) => cost / (under[i] ?? Number.NaN)).sort()
  const third = Math.floor(over.length / 3)
  const thirds = [ofLeast(0, third), ofLeast(third, -third), ofLeast(-third)]
  return {
    ofLeast: ofLeast(0),
    quartiles: [percentile(rounds, 0.25), percentile(rounds, 0.75)],
    apart: third === 0 ? 0 : Math.max(...thirds) / Math.min(...thirds) - 1,
  }
}

/** The percentile of figures at a share from 0 to 1. `sorted` is in ascending order. */
export function percentile(sorted: Float64Array, share: number): number {
  const rank = Math.max(1, Math.ceil(share * sorted.length))
  const figure = sorted[rank - 1]
  if (figure === undefined) throw new RangeError('there is no percentile of nothing')
  return figure
}
