import { type RawBuilder, sql } from 'kysely'
import { type Column, columnOf, type TableLayout } from '../../../query/layout.ts'
import type { CountKey, DatePart, Value } from '../../../query/query.ts'
import type { Group } from '../../../query/result.ts'
import { type Condition, where } from './conditions.ts'
import { shown, shownValue } from './stored-columns.ts'
import type { StoredRows } from './stored-rows.ts'

/** How a key is counted by: its value in the database, whose order is that of the values read from it. */
interface Key {
  readonly cell: RawBuilder<unknown>
  read(cell: unknown): Value
}

/** Returns what rows are counted by. Throws RangeError for a field that is missing or has no such part. */
export const keysOf = (layout: TableLayout, by: readonly CountKey[]): Key[] =>
  by.map(key => {
    if (typeof key !== 'string') return partKey(columnOf(layout, key.field), key.part)
    const column = columnOf(layout, key)
    return { cell: shown(column), read: cell => shownValue(column.type, cell) }
  })

/** Counts the matching rows by keys: highest count first, ties in the order of the values. */
export async function countGroups(
  { database, table }: StoredRows,
  keys: readonly Key[],
  conditions: readonly Condition[],
): Promise<Group[]> {
  const cells = keys.map(({ cell }, index) => sql`${cell} as ${sql.ref(String(index))}`)
  const places = sql.join(keys.map((_, index) => sql.lit(index + 1)))
  const { rows } = await sql<Readonly<Record<string, unknown>>>`
    select ${sql.join(cells)}, count(*) as n from ${table} ${where(conditions)}
    group by ${places} order by n desc, ${places}`.execute(database)
  return rows.map(row => [...keys.map(({ read }, index) => read(row[index])), row.n as number])
}

function partKey({ name, type }: Column, part: DatePart): Key {
  if (type !== 'day') throw new RangeError(`field "${name}" is no date`)
  const year = sql`date_part('year', ${sql.ref(name)})`
  if (part === 'year') return { cell: year, read: cell => (cell === null ? null : yearOf(Number(cell))) }
  return {
    cell: sql`${year} * 12 + date_part('month', ${sql.ref(name)}) - 1`,
    read: cell => (cell === null ? null : monthOf(Number(cell))),
  }
}

/** The database counts from 1 BC, which is the year 0, to the year 1. */
const yearOf = (year: number): number => (year < 0 ? year + 1 : year)

function monthOf(months: number): string {
  const year = Math.floor(months / 12)
  return `${String(yearOf(year)).padStart(4, '0')}-${String(months - year * 12 + 1).padStart(2, '0')}`
}
