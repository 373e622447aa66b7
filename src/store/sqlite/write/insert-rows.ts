import { type RawBuilder, sql } from 'kysely'
import type { Registry, Row } from '../../registry/tables.ts'

/** Inserts rows, except for those whose key is there, as one JSON text: a parameter a value would take far longer. */
export async function insertRows(
  registry: Registry,
  into: RawBuilder<unknown>,
  rows: readonly Row[],
): Promise<number> {
  const columns = Object.keys(rows[0] ?? {})
  const cells = columns.map(column => sql`value ->> ${sql.lit(column)}`)
  const { numAffectedRows } = await sql`
    insert into ${into} (${sql.join(columns.map(column => sql.ref(column)))})
    select ${sql.join(cells)} from json_each(${JSON.stringify(rows)}) where true
    on conflict do nothing`.execute(registry)
  return Number(numAffectedRows)
}
