import { sql } from 'kysely'
import type { Registry } from '../../registry/tables.ts'
import { type RegistryColumn, type RegistryTable, registryTables } from '../../transfer/registry-rows.ts'

/** Not carried: what the schema's own migrations and the instances of this moment hold there. */
const NOT_CARRIED = ['migrations', 'leases', 'poller']

/** The tables of the registry that are carried to another store. */
export async function registryTablesOf(registry: Registry, schema: string): Promise<RegistryTable[]> {
  const { rows } = await sql<RegistryColumn>`
    select tables.relname as "table", columns.attname as "column",
      coalesce(array_position(keys.indkey::smallint[], columns.attnum) + 1, 0) as "keyPlace"
    from pg_catalog.pg_class as tables
      join pg_catalog.pg_namespace as schemas on schemas.oid = tables.relnamespace
      join pg_catalog.pg_attribute as columns on columns.attrelid = tables.oid
      left join pg_catalog.pg_index as keys on keys.indrelid = tables.oid and keys.indisprimary
    where schemas.nspname = ${schema} and tables.relkind = 'r' and tables.relname !~ '^r[0-9]{1,20}_'
      and tables.relname not in (${sql.join(NOT_CARRIED)}) and columns.attnum > 0 and not columns.attisdropped
    order by tables.relname, columns.attnum`.execute(registry)
  return registryTables(rows)
}
