import { type Expression, sql } from 'kysely'
import type { Registry } from '../registry.ts'

/**
 * Reads the rows of a query of whole numbers and nulls, with these of its columns in turn. SQLite puts them together as
 * one text, as the driver takes five times as long to hand over each by itself.
 */
export async function readNumberRows<Row extends readonly (number | null)[]>(
  registry: Registry,
  query: Expression<unknown>,
  columns: readonly string[],
): Promise<Row[]> {
  const row = sql.join(columns.map(column => sql.ref(column)))
  const { rows } = await sql<{ texts: string }>`
    select json_group_array(json_array(${row})) as texts from (${query})`.execute(registry)
  return JSON.parse(rows[0]?.texts ?? '[]')
}
