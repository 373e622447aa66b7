import { type Kysely, sql } from 'kysely'
import type { TableEngine } from '../../table/engine.ts'

/** The table engine over a release file. */
export function tableEngine(database: Kysely<unknown>): TableEngine {
  return {
    database,
    guesses: true,
    blocks: true,
    inOrder: true,
    table: sql.table,
    // `instr` matches literally.
    contains: (text, part) => sql`instr(${text}, ${part}) > 0`,
    list: numbers => sql`group_concat(${numbers})`,
    among: (number, list) => sql`${number} in (select value from json_each(${`[${list}]`}))`,
  }
}
