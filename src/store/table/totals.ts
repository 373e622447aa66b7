import { type RawBuilder, sql } from 'kysely'
import { length, rowsIn } from './days.ts'
import type { KnownTables, TableEngine } from './engine.ts'
import { COUNT_COLUMN } from './rollups/rollup-tables.ts'
import { countedRows, onlyRange } from './rollups/rollups.ts'
import { conditionsOf, type RowQuery } from './row-query.ts'

/** The number of rows that match a query: from the rollups where they suffice, else by counting rows. */
export async function totalOf(engine: TableEngine, tables: KnownTables, rowQuery: RowQuery): Promise<number> {
  const { rowRange, isWhole, isEmpty, words, ranges } = rowQuery
  if (isEmpty) return 0
  const [word, another] = words
  if (word === undefined && ranges.length === 0) return length(rowRange)
  if (word !== undefined && another === undefined && isWhole && ranges.length === 0) return word.rows
  const range = onlyRange(rowQuery)
  if (word === undefined && range !== undefined) {
    const counted = await rowsIn(engine, tables, range.column, range.days)
    if (counted !== undefined) return counted
  }
  const counted = word && (await countedRows(engine, tables, rowQuery))
  return counted === undefined
    ? numberOf(
        engine,
        sql`select count(*) as n from ${engine.table('rows')} where ${conditionsOf(engine, rowQuery)}`,
      )
    : numberOf(engine, sql`select sum(${sql.ref(COUNT_COLUMN)}) as n from ${counted}`)
}

async function numberOf({ database }: TableEngine, query: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ n: unknown }>`${query}`.execute(database)
  return Number(rows[0]?.n ?? 0)
}
