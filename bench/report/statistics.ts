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

/** The least figure that so great a share (0 to 1) of all does not exceed; `sorted` is in ascending order. */
export function percentile(sorted: Float64Array, share: number): number {
  const rank = Math.max(1, Math.ceil(share * sorted.length))
  const figure = sorted[rank - 1]
  if (figure === undefined) throw new RangeError('there is no percentile of nothing')
  return figure
}
