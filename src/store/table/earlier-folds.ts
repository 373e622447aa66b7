import { sql } from 'kysely'
import { fold } from '../../values/text.ts'
import type { TableEngine } from './engine.ts'

/** The folded text of a column's values, by their codes, where an earlier version stored another. */
export type EarlierFolds = (column: string) => Promise<ReadonlyMap<number, string>>

/**
 * Looks up, once for each column, the values that an earlier version folded in another way: it kept runs and other kinds of
 * blanks, blanks at the ends, and invisible characters. A release is never written again, so queries add these values.
 */
export function earlierFolds({ database, table, contains }: TableEngine): EarlierFolds {
  const known = new Map<string, ReturnType<EarlierFolds>>()

  async function read(column: string): Promise<ReadonlyMap<number, string>> {
    const blanks = ['  ', '\t', '\n'].map(part => contains(sql.ref('folded'), part))
    const { rows } = await sql<{ id: number; folded: string }>`
      select id, folded from ${table(`words_${column}`)}
      where folded <> trim(folded) or octet_length(folded) > length(folded) or ${sql.join(blanks, sql` or `)}
    `.execute(database)
    return new Map(
      rows.filter(({ folded }) => fold(folded) !== folded).map(({ id, folded }) => [id, fold(folded)]),
    )
  }

  return column => {
    const found = known.get(column) ?? read(column)
    known.set(column, found)
    found.catch(() => known.delete(column))
    return found
  }
}
