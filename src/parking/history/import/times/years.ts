import { Refusal } from '../../../../sources/source-row.ts'
import { type ReadingTable, WRITTEN } from '../reading-table.ts'
import { HALF_YEAR_MS, oldestFirst } from './local-times.ts'

const DAY_MS = 86_400_000
/** A step ahead by nearly a year is a line out of order at New Year. */
const BACK_OVER_NEW_YEAR_MS = 360 * DAY_MS

/**
 * Adds a year to the times without one: the earliest is of `year`, and the year rises where the file runs over New Year.
 * Calls `reject` for a date that its year does not have. Throws {@link Refusal}.
 */
export function giveYears(
  table: ReadingTable,
  { year, newestFirst }: { readonly year: number | undefined; readonly newestFirst: boolean },
  reject: (at: number) => void,
): void {
  const { length, times, written, carParks } = table
  if (year === undefined && written.subarray(0, length).includes(WRITTEN.localWithoutYear))
    throw new Refusal('the times in the file have no year; give that of the earliest reading, as --year 2024')
  if (year !== undefined && !written.subarray(0, length).includes(WRITTEN.localWithoutYear) && length > 0)
    throw new Refusal('the times in the file have their year; leave out --year')
  if (year === undefined) return
  const last = new Map<number, Dated>()
  let before: Dated = { nominal: Number.NaN, year }
  for (const at of oldestFirst(length, newestFirst)) {
    if (written[at] !== WRITTEN.localWithoutYear) continue
    const carPark = carParks[at] as number
    const nominal = times[at] as number
    before = { nominal, year: yearOf(nominal, last.get(carPark), before) ?? year }
    last.set(carPark, before)
    const time = inYear(nominal, before.year)
    if (time === undefined) reject(at)
    else times[at] = time
    written[at] = WRITTEN.local
  }
}

interface Dated {
  readonly nominal: number
  readonly year: number
}

/** The first reading of a car park has the year of the line before, if it is as near as this. */
const NEAR_MS = 3_600_000

/**
 * Each car park has its own New Year, as a file may have one car park after the other. Undefined for its first reading,
 * unless that is among the readings of others.
 */
function yearOf(nominal: number, own: Dated | undefined, before: Dated): number | undefined {
  if (own !== undefined) return own.year + yearsBetween(own.nominal, nominal)
  return Math.abs(nominal - before.nominal) < NEAR_MS ? before.year : undefined
}

function yearsBetween(before: number, after: number): number {
  // A shorter step is the DST overlap, or a line out of order.
  if (before - after > HALF_YEAR_MS) return 1
  return after - before > BACK_OVER_NEW_YEAR_MS ? -1 : 0
}

/** Undefined for 29 February where the year has none. */
function inYear(nominal: number, year: number): number | undefined {
  const date = new Date(nominal)
  const month = date.getUTCMonth()
  date.setUTCFullYear(year)
  return date.getUTCMonth() === month ? date.getTime() : undefined
}
