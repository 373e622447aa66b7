import { type Expression, sql } from 'kysely'
import type { NumberQuery } from '../../readings/history-queries.ts'
import type { Registry } from '../../registry/tables.ts'

/** Reads numbers as one JSON text, as the driver takes five times as long to return one row each. */
export async function readNumbers<Row extends object>(
  query: NumberQuery<Row>,
  columns: readonly (keyof Row & string)[],
  registry: Registry,
): Promise<Row[]> {
  const row = sql.join(columns.map(column => sql.ref(column)))
  const { rows } = await sql<{ texts: string }>`
    select json_group_array(json_array(${row})) as texts
    from (${query as unknown as Expression<unknown>})`.execute(registry)
  const cells: (number | null)[][] = JSON.parse(rows[0]?.texts ?? '[]')
  return cells.map(numbers => {
    // A loop creates objects of one hidden class, much faster than `Object.fromEntries`: these are millions.
    const found: Record<string, unknown> = {}
    for (let at = 0; at < columns.length; at++) found[columns[at] ?? ''] = numbers[at]
    return found as Row
  })
}
