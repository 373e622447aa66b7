import { type RawBuilder, sql } from 'kysely'
import type { SortKey } from '../../query/query.ts'
import type { TableLayout } from '../layout.ts'
import type { StoredTable } from './engine.ts'
import type { Slice } from './positions.ts'
import { columnOf, conditionsOf, type RowQuery } from './row-query.ts'

/** Whether rows are stored in this order already. */
export const isServedOrder = (sort: readonly SortKey[], { newestFirstBy }: TableLayout): boolean =>
  sort.length === 0 ||
  (sort[0]?.field === newestFirstBy && sort[0].direction === 'descending' && sort.length === 1)

/**
 * The positions of a slice of the matching rows, sorted. They are returned as one text, as a driver needs many times
 * the memory for one row each.
 */
export async function sortedPositions(
  table: StoredTable,
  rowQuery: RowQuery,
  sort: readonly SortKey[],
  { offset, limit }: Slice,
): Promise<Int32Array> {
  const { engine } = table
  const keys = sort.map(key => keyOf(table, key))
  const { rows } = await sql<{ positions: string | null }>`
    select ${engine.list(sql.ref('position'))} as positions from (
      select position from ${engine.table('rows')} as rows where ${conditionsOf(engine, rowQuery)}
      order by ${sql.join(keys)}, position limit ${limit} offset ${offset}) as sorted`.execute(
    engine.database,
  )
  return numbersIn(rows[0]?.positions ?? '')
}

/** Nulls sort last in either direction. Text sorts by its stored rank in the order of UTF-16 code units. */
function keyOf({ engine, layout }: StoredTable, { field, direction }: SortKey): RawBuilder<unknown> {
  const { name, type } = columnOf(layout, field)
  const cell = sql.ref(`rows.${name}`)
  const key =
    type === 'word' ? sql`(select rank from ${engine.table(`words_${name}`)} where id = ${cell})` : cell
  return sql`${key} ${sql.raw(direction === 'ascending' ? 'asc' : 'desc')} nulls last`
}

/** The whole numbers of a comma-separated list. */
function numbersIn(text: string): Int32Array {
  let count = text === '' ? 0 : 1
  for (let at = text.indexOf(','); at >= 0; at = text.indexOf(',', at + 1)) count++
  const numbers = new Int32Array(count)
  let start = 0
  for (let index = 0; index < count; index++) {
    const end = text.indexOf(',', start)
    numbers[index] = Number(text.slice(start, end < 0 ? undefined : end))
    start = end + 1
  }
  return numbers
}
