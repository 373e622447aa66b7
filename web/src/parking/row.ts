import type { LiveEvent } from '../../../client/src/live-events.ts'
import type { CarParkInBrief, LiveCarPark } from './records.ts'

/** The count of a car park, and its quality. */
export interface Count {
  /** Null if the feed has no usable count of the car park. */
  readonly spaces: number | null
  readonly quality: LiveCarPark['quality']
  readonly observedAt: string | null
  readonly changedAt: string | null
  readonly trend: LiveCarPark['trend']
}

/** The forecast for one of the times ahead. */
export interface Expected {
  readonly minutesAhead: number
  readonly at: string
  readonly expected: number
  readonly low: number
  readonly high: number
  /** The chance of at least ten spaces, from 0 to 1. */
  readonly chanceOfTen: number
}

/** A car park as the pages show it. */
export interface Row {
  readonly code: string
  readonly name: string
  readonly count: Count
  /** Null if no release has the code. */
  readonly carPark: CarParkInBrief | null
  /** Null without a forecast. */
  readonly expected: Expected | null
}

/** Takes the count out of an entry of the feed, without its age, which changes every second. */
export const countOf = ({
  spaces = null,
  quality,
  observedAt,
  changedAt,
  trend = null,
}: Omit<Count, 'spaces' | 'trend'> & Partial<Pick<Count, 'spaces' | 'trend'>>): Count => ({
  ...{ spaces, quality, observedAt, changedAt, trend },
})

/** Codes are the same in any case. */
export const isSameCode = (one: string, other: string): boolean => one.toUpperCase() === other.toUpperCase()

/** Replaces the count of a row by the count of an event with the same code. */
export function takeEvent<R extends Row>(row: R, { data }: LiveEvent): R {
  const entry = data.results.find(({ code }) => isSameCode(code, row.code))
  return entry === undefined ? row : { ...row, count: countOf(entry) }
}
