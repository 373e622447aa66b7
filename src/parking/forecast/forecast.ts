import type { HORIZONS } from './rules.ts'

/** What the next two hours will likely bring to a car park. Times are milliseconds since 1970 UTC. */
export interface Forecast {
  /** When the count was read that it starts from; entries count from there. */
  readonly from: number
  readonly entries: readonly ForecastEntry[]
}

/** One time ahead. `low` to `high` is the interval that should hold the count in 80 of 100 cases. */
export interface ForecastEntry {
  readonly minutesAhead: (typeof HORIZONS)[number]
  readonly at: number
  /** Free spaces. */
  readonly expected: number
  readonly low: number
  readonly high: number
  /** null where no forecast of these hours in the last 28 days has met its outcome. */
  readonly error: MeasuredError | null
}

/**
 * How the forecasts fared that were made each half hour over the last 28 days: for this car park, as far ahead, in
 * the same three hours of the day (0-3, 3-6 and so on).
 */
export interface MeasuredError {
  /** Spaces, of what was expected. */
  readonly meanAbsolute: number
  /** Spaces, of "stays as it is now" for the very same cases. */
  readonly meanAbsoluteAsNow: number
  /** The share of outcomes within low to high. */
  readonly coverage: number
  /** How many forecasts have met their outcome. */
  readonly count: number
}

/** Why there is no forecast or no typical week: a word for machines and a sentence. */
export interface Unsupported {
  readonly reason: UnsupportedReason
  readonly detail: string
}

export type UnsupportedReason =
  | 'NO_RECENT_COUNT'
  | 'COUNT_NOT_TRUSTED'
  | 'TOO_LITTLE_PAST'
  | 'NOT_YET_MEASURED'

/** Whether there is no forecast (or typical week), but the reason why. */
export const isUnsupported = (answer: object): answer is Unsupported => 'reason' in answer
