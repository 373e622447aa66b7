import { sql } from 'kysely'
import type { RangeFilter } from '../../query/query.ts'
import { dayNumber } from '../encoding/day-number.ts'
import type { KnownTables, TableEngine } from './engine.ts'
import { daysOf } from './rollups/rollup-tables.ts'

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

/** For each of these days, the number of rows with an earlier one; only if the release has this rollup. */
export async function rowsBefore(
  { database, table }: TableEngine,
  column: string,
  days: readonly number[],
): Promise<number[]> {
  const before = days.map(
    (day, index) =>
      sql`coalesce((select upto from ${table(daysOf(column))} where day < ${day} order by day desc limit 1), 0) as ${sql.ref(`d${index}`)}`,
  )
  const { rows } = await sql<Record<string, unknown>>`select ${sql.join(before)}`.execute(database)
  return days.map((_, index) => Number(rows[0]?.[`d${index}`]))
}

/** The number of rows in a range of days; undefined if the release has no rollup of it. */
export async function rowsIn(
  engine: TableEngine,
  tables: KnownTables,
  column: string,
  { from, to }: Days,
): Promise<number | undefined> {
  if (!tables.has(daysOf(column))) return undefined
  const [before = 0, upto = 0] = await rowsBefore(engine, column, [from, to + 1])
  return upto - before
}

/** The row ranges of these ranges of days, in a table ordered by this day, newest first. */
export async function rowRangesOf(
  engine: TableEngine,
  column: string,
  ranges: readonly Days[],
): Promise<RowRange[]> {
  const ends = ranges.flatMap(({ from, to }) => [from, to + 1])
  const [dated = 0, ...before] = await rowsBefore(engine, column, [NO_DAY, ...ends])
  return ranges.map((_, index) => ({
    first: dated - (before[2 * index + 1] ?? 0) + 1,
    last: dated - (before[2 * index] ?? 0),
  }))
}

/** The row range of one range of days without a rollup: from the first row not above it to the last not below it. */
export async function rowRangeByRows(
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
