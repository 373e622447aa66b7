import { sql } from 'kysely'
import type { Registry } from '../../registry/tables.ts'
import { type RegistryColumn, type RegistryTable, registryTables } from '../../transfer/registry-rows.ts'

/** The schema of the registry's file. */
export const SCHEMA = 'file'

/** The tables of the registry that are carried to another store. */
export async function registryTablesOf(registry: Registry): Promise<RegistryTable[]> {
  const { rows } = await sql<RegistryColumn>`
    select tables.name as "table", columns.name as "column", columns.pk as "keyPlace"
    from file.sqlite_schema as tables, pragma_table_info(tables.name, 'file') as columns
    where tables.type = 'table' and tables.name not like 'sqlite\\_%' escape '\\'
    order by tables.name, columns.cid`.execute(registry)
  return registryTables(rows)
}
