import { type Kysely, sql } from 'kysely'
import type { Cell } from '../cells.ts'
import type { TableContents, Word } from '../contents.ts'
import type { TableLayout } from '../layout.ts'
import { readText } from '../plain-text.ts'

/** Rows read at once. In batches, because between two of them the connection is free for other questions. */
const BATCH = 1000

/** Reads a whole table of so many rows. */
export function tableContents(
  database: Kysely<unknown>,
  { columns }: TableLayout,
  rows: number,
): TableContents {
  const names = sql.join(columns.map(({ name }) => sql.ref(name)))
  return {
    async words(column) {
      const { rows: found } = await sql<Word>`
        select id as code, value, folded from ${sql.table(`words_${column}`)} order by id`.execute(database)
      return found.map(({ code, value, folded }) => ({ code, value: readText(value), folded }))
    },
    async *rows() {
      for (let after = 0; after < rows; after += BATCH) {
        const { rows: found } = await sql<Record<string, Cell>>`
          select ${names} from rows where position between ${after + 1} and ${after + BATCH} order by position
        `.execute(database)
        yield found.map(row => Object.values(row))
      }
    },
  }
}
