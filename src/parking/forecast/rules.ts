/* The numbers of typical weeks and forecasts, in one place. Measured by `npm run bench:forecast`; none is critical. */

/** How far ahead is forecast, minutes. */
export const HORIZONS = [15, 30, 60, 120] as const

/** How much of the past is kept and learnt from. */
export const MEMORY_DAYS = 84

/** How close in count and in these changes up to now (minutes) a past day must be to count as similar, in standard deviations. */
export const CLOSENESS = 0.1
export const CHANGES_OVER = [30, 60, 120] as const

/** What a past day counts by its kind: of the same kind 1, of the same sort (Monday to Thursday; Sunday and bank holiday), other. */
export const SAME_SORT = 0.5
export const OTHER_SORT = 0.02

/** After how many days a past day counts half. */
export const HALF_AFTER_DAYS = 28

/** Fewer past days with counts at that time, or fewer of the same sort among them, support no forecast. */
export const FEWEST_DAYS = 10
export const FEWEST_OF_SORT = 2

/** A count older than this is no present count. */
export const OLDEST_PRESENT_MS = 15 * 60_000

/** Hours of the day that are taken together when errors are looked at: 0-3, 3-6 and so on. */
export const BLOCK_HOURS = 3

/** The 80 % interval is drawn from so many latest outcomes at most, and not from fewer than so few. */
export const MOST_OUTCOMES = 150
export const FEWEST_OUTCOMES = 24

/** Cut off at each end: less than a tenth, since what comes strays a little further than what was. */
export const TAIL = 0.085

/** Days over which the published error is measured. */
export const MEASURED_DAYS = 28

/** Fewer days than this make no percentiles of a typical day. */
export const FEWEST_TYPICAL_DAYS = 3
