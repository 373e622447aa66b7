import { type RawBuilder, sql } from 'kysely'
import type { DatePart, Value } from '../../query/query.ts'

/** The years or months of a column of days, as a column of whole numbers in a statement. */
export interface DatePartColumn {
  /** A name that no column of a table has. */
  readonly name: string
  readonly type: 'part'
  readonly part: DatePart
  /** Its cell in a row: null where the day is. */
  readonly cell: RawBuilder<unknown>
}

/** The years or months of the days in a column. */
export function datePartColumn(column: string, part: DatePart): DatePartColumn {
  const month = monthOf(sql.ref(column))
  return {
    ...{ name: `${column}/${part}`, type: 'part', part },
    cell: part === 'month' ? month : sql`${month} / 12`,
  }
}

/** Reads a cell of such a column. */
export function readDatePart({ part }: DatePartColumn, cell: unknown): Value {
  if (cell === null) return null
  const number = Number(cell)
  if (part === 'year') return number - ADDED_YEARS
  const [year, month] = [Math.floor(number / 12) - ADDED_YEARS, (number % 12) + 1]
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}`
}

/**
 * The months from the start of the year -400 to that of a day since 1970-01-01, by whole divisions, which every engine
 * makes alike where no number is negative. Years begin in March here, so that the leap day is their last; from January on the
 * months carry into the next year (Neri and Schneider, "Euclidean affine functions and their application to calendar
 * algorithms", 2022).
 */
function monthOf(day: RawBuilder<unknown>): RawBuilder<unknown> {
  const days = sql`(4 * (${day} + ${sql.lit(DAYS_BEFORE_1970)}) + 3)`
  const century = sql`${days} / ${sql.lit(DAYS_IN_400_YEARS)}`
  const inCentury = sql`(4 * (${days} % ${sql.lit(DAYS_IN_400_YEARS)} / 4) + 3)`
  const year = sql`(100 * (${century}) + ${inCentury} / 1461)`
  const inYear = sql`${inCentury} % 1461 / 4`
  return sql`(12 * ${year} + (5 * (${inYear}) + 461) / 153 - 1)`
}

const ADDED_YEARS = 400
const DAYS_IN_400_YEARS = 146_097
/** From 1 March of the year -400. */
const DAYS_BEFORE_1970 = 719_468 + DAYS_IN_400_YEARS
