import { MINUTE_MS } from '../values/time-units.ts'
import type { GoodReading } from './forecast/forecaster.ts'

/** How a car park's free spaces have changed over the last half hour. */
export const TRENDS = ['filling', 'emptying', 'steady'] as const

export type Trend = (typeof TRENDS)[number]

const OVER_MS = 30 * MINUTE_MS
/** The count of half an hour ago may have been read this much earlier or later. */
const TOLERANCE_MS = 10 * MINUTE_MS
/** Changes up to this number, or this share of all spaces, are steady. */
const STEADY_SPACES = 3
const STEADY_SHARE = 0.01

/** Creates the trend of one car park, from its good readings in the order of time. */
export function createTrend() {
  let counts: readonly GoodReading[] = []
  return {
    observe(reading: GoodReading): void {
      counts = [...counts.filter(({ at }) => at >= reading.at - OVER_MS - TOLERANCE_MS), reading]
    },
    /** Retracts the readings from a time on: they turned out to be bad. */
    retract(from: number): void {
      counts = counts.filter(({ at }) => at < from)
    },
    /** The trend at the last good reading; null without one of half an hour before. */
    trend(capacity: number): Trend | null {
      const last = counts.at(-1)
      if (last === undefined) return null
      const off = ({ at }: GoodReading) => Math.abs(last.at - OVER_MS - at)
      const [before] = counts.toSorted((one, other) => off(one) - off(other))
      if (before === undefined || off(before) > TOLERANCE_MS) return null
      const change = last.spaces - before.spaces
      if (Math.abs(change) <= Math.max(STEADY_SPACES, capacity * STEADY_SHARE)) return 'steady'
      return change < 0 ? 'filling' : 'emptying'
    },
  }
}
