/** The middle of some figures, with the least and the greatest of them. */
export interface Spread {
  readonly median: number
  readonly min: number
  readonly max: number
}

/** The middle figure, or the mean of the two in the middle. Throws for none. */
export function median(figures: readonly number[]): number {
  const sorted = figures.toSorted((a, b) => a - b)
  const upper = sorted[Math.floor(sorted.length / 2)]
  const lower = sorted[Math.floor((sorted.length - 1) / 2)]
  if (upper === undefined || lower === undefined) throw new RangeError('there is no median of nothing')
  return (lower + upper) / 2
}

/** The median and the range of some figures. Throws for none. */
export function spread(figures: readonly number[]): Spread {
  return { median: median(figures), min: Math.min(...figures), max: Math.max(...figures) }
}

/** How many times the cost of one server is another's. */
export interface Quotient {
  /** The least cost of the one by the least of the other: other work on the machine only adds to a cost. */
  readonly ofLeast: number
  /** The first and the third quartile of the quotients within each round. */
  readonly quartiles: readonly [number, number]
  /** How far `ofLeast` of the first, second and last third of the rounds lie apart at most, as a share. */
  readonly apart: number
}

/** Two lists of costs, one of each for each round, as a quotient. */
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

/** The least figure that so great a share (0 to 1) of all does not exceed; `sorted` is in ascending order. */
export function percentile(sorted: Float64Array, share: number): number {
  const rank = Math.max(1, Math.ceil(share * sorted.length))
  const figure = sorted[rank - 1]
  if (figure === undefined) throw new RangeError('there is no percentile of nothing')
  return figure
}
