import { type Kysely, sql } from 'kysely'
import type { TableEngine } from '../../table/engine.ts'
import { releaseTables } from '../write/release-tables.ts'

/** The table engine over the tables of a release. */
export function tableEngine(database: Kysely<unknown>, schema: string, id: string): TableEngine {
  const { name, table } = releaseTables(schema, id)
  const prefix = name('')
  return {
    database,
    table,
    async tables() {
      const { rows } = await sql<{ table: string; columns: string[] }>`
        select substr(table_name, ${prefix.length + 1}) as "table", json_agg(column_name) as columns
        from information_schema.columns
        where table_schema = ${schema} and substr(table_name, 1, ${prefix.length}) = ${prefix}
        group by table_name`.execute(database)
      return new Map(rows.map(({ table, columns }) => [table, new Set(columns)]))
    },
    // `strpos` matches literally.
    contains: (text, part) => sql`strpos(${text}, ${part}) > 0`,
    list: numbers => sql`string_agg(${numbers}::text, ',')`,
    among: (number, list) => sql`${number} = any(${`{${list}}`}::integer[])`,
  }
}
