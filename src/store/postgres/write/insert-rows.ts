import { type RawBuilder, sql } from 'kysely'
import type { Registry, Row } from '../../registry/tables.ts'

/** Inserts rows with all of their keys, except for those whose key is there, as one JSON text: a statement has a limit of parameters. */
export async function insertRows(
  registry: Registry,
  into: RawBuilder<unknown>,
  rows: readonly Row[],
): Promise<number> {
  const columns = sql.join(Object.keys(rows[0] ?? {}).map(column => sql.ref(column)))
  const { numAffectedRows } = await sql`
    insert into ${into} (${columns}) overriding system value
    select ${columns} from json_populate_recordset(null::${into}, ${JSON.stringify(rows)}::json)
    on conflict do nothing`.execute(registry)
  return Number(numAffectedRows)
}
