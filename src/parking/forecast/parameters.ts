import { MINUTE_MS } from '../../values/time-units.ts'

/* The parameters of typical weeks and forecasts, in one place. Measured by `npm run bench:forecast`; none is critical. */

/** The horizons of forecasts, minutes. */
export const HORIZONS = [15, 30, 60, 120] as const

/** The days of counts that are kept and learned from. */
export const MEMORY_DAYS = 84

/** How close in count and in these changes up to now (minutes) a past day must be to count as similar, in standard deviations. */
export const CLOSENESS = 0.1
export const CHANGES_OVER = [30, 60, 120] as const

/** The weight of a past day by its kind: of the same kind 1, of the same group (Monday to Thursday; Sunday and bank holiday), other. */
export const SAME_GROUP_WEIGHT = 0.5
export const OTHER_GROUP_WEIGHT = 0.02

/** The age in days at which the weight of a past day is halved. */
export const HALF_LIFE_DAYS = 28

/** Fewer past days with counts at that time, or fewer of the same group among them, support no forecast. */
export const FEWEST_DAYS = 10
export const FEWEST_OF_GROUP = 2

/** An older count is not a present count. */
export const OLDEST_PRESENT_MS = 15 * MINUTE_MS

/** The width of the blocks of hours over which errors are measured: 0-3, 3-6 and so on. */
export const BLOCK_HOURS = 3

/** The number of latest residuals that the 80 % interval is drawn from. */
export const MOST_RESIDUALS = 150
export const FEWEST_RESIDUALS = 24

/** Cut off at each end: less than a tenth, since future residuals are a little larger than past ones. */
export const TAIL = 0.085

/** A forecast gives the chance of at least this many spaces. */
export const ENOUGH_SPACES = 10

/**
 * By horizon, the terms of the chance's log-odds: a constant, the weight of the expected distance from too few spaces in standard
 * deviations, and the weight of the log-odds on similar days. Fitted by logistic regression on September 2024 to February 2025.
 */
export const CHANCE_TERMS = [
  [-0.35, 1.43, 0.12],
  [-0.42, 1.36, 0.2],
  [-0.43, 1.24, 0.28],
  [-0.36, 1.02, 0.4],
] as const

/** The days over which the published error is measured. */
export const VERIFIED_DAYS = 28

/** Fewer days than this make no percentiles of a typical day. */
export const FEWEST_TYPICAL_DAYS = 3
