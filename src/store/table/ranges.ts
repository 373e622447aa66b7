import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { RangeFilter } from '../../query/query.ts'
import { dayNumber } from '../encoding/day-number.ts'
import type { TableEngine } from './engine.ts'

/** A range of days, both ends inclusive; empty if `from` is above `to`. */
export interface Days {
  readonly from: number
  readonly to: number
}

/** A range of positions, counted from 1, both ends inclusive; empty if `first` is above `last`. */
export interface RowRange {
  readonly first: number
  readonly last: number
}

export const length = ({ first, last }: RowRange): number => Math.max(0, last - first + 1)

/** A day beyond any that a timestamp can have. */
export const NO_DAY = 1e9

/** The range of days that a filter selects. Throws RangeError for a date that does not exist. */
export const daysOfFilter = ({ from, to }: RangeFilter): Days => ({
  from: from === undefined ? -NO_DAY : dayNumber(String(from)),
  to: to === undefined ? NO_DAY : dayNumber(String(to)),
})

/** The intersection of two ranges. */
export const bothDays = (one: Days, other: Days): Days => ({
  from: Math.max(one.from, other.from),
  to: Math.min(one.to, other.to),
})

export const inRange = (day: RawBuilder<unknown>, { from, to }: Days): RawBuilder<SqlBool> =>
  sql`${day} between ${from} and ${to}`

export const inRowRange = ({ first, last }: RowRange): RawBuilder<SqlBool> =>
  sql`position between ${first} and ${last}`

/**
 * The row range of a range of the ordering day, found among the rows: from the first row not above it to the last not
 * below it.
 */
export async function findRowRange(
  { database, table }: TableEngine,
  column: string,
  { from, to }: Days,
): Promise<RowRange> {
  const rows = table('rows')
  const day = sql.ref(column)
  const first = sql<At>`select position from ${rows} where ${day} <= ${to} order by ${day} desc, position limit 1`
  const last = sql<At>`select position from ${rows} where ${day} >= ${from} order by ${day}, position desc limit 1`
  return {
    first: Number((await first.execute(database)).rows[0]?.position ?? Number.POSITIVE_INFINITY),
    last: Number((await last.execute(database)).rows[0]?.position ?? 0),
  }
}

interface At {
  readonly position: unknown
}
