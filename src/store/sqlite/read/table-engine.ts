import { type Kysely, sql } from 'kysely'
import { columnsByTable, type TableEngine } from '../../table/engine.ts'

/** The table engine over a release file. */
export function tableEngine(database: Kysely<unknown>): TableEngine {
  return {
    database,
    guesses: true,
    inOrder: true,
    table: sql.table,
    async tables() {
      const { rows } = await sql<{ table: string; column: string }>`
        select file.sqlite_master.name as "table", columns.name as "column"
        from file.sqlite_master, pragma_table_info(file.sqlite_master.name, 'file') as columns
        where file.sqlite_master.type = 'table'`.execute(database)
      return columnsByTable(rows)
    },
    // `instr` matches literally.
    contains: (text, part) => sql`instr(${text}, ${part}) > 0`,
    list: numbers => sql`group_concat(${numbers})`,
    among: (number, list) => sql`${number} in (select value from json_each(${`[${list}]`}))`,
  }
}
