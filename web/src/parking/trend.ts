import type { Row } from './row.ts'

/** How a count has moved in half an hour. */
export interface Trend {
  readonly direction: 'filling' | 'emptying' | 'steady'
  readonly text: string
}

/** Less than this share of a car park's spaces, or than so many spaces, is no movement. */
const STEADY_SHARE = 0.01
const STEADY_SPACES = 3

/** How a car park fills or empties; undefined where its count cannot be trusted or its past is not known. */
export function trendOf({ count, before, carPark }: Row): Trend | undefined {
  const { spaces, quality } = count
  if (spaces === null || before === null || quality !== 'good') return undefined
  const change = spaces - before
  if (Math.abs(change) <= Math.max(STEADY_SPACES, (carPark?.spaces ?? 0) * STEADY_SHARE))
    return { direction: 'steady', text: 'Steady over the last half hour' }
  return change < 0
    ? { direction: 'filling', text: `Filling: ${-change} fewer than half an hour ago` }
    : { direction: 'emptying', text: `Emptying: ${change} more than half an hour ago` }
}
