import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { escapeText } from '../encoding/escape-text.ts'
import type { TableLayout } from '../layout.ts'
import type { TableEngine } from './engine.ts'

/** Rows in one statement; between statements an embedded engine is free for other queries. */
const BATCH = 100_000

/** Counts the cells of each column that have a value. The dictionaries count those of words; others take one scan. */
export async function filledCells(
  { database, table }: TableEngine,
  { columns }: TableLayout,
  rows: number,
  blanks: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map(columns.map(({ name }) => [name, 0]))
  for (const { name } of columns.filter(({ type }) => type === 'word')) {
    const blank = escapeText(blanks.get(name) ?? '')
    const found = await sql<{ n: unknown }>`
      select coalesce(sum(count), 0) as n from ${table(`words_${name}`)} where value <> '' and value <> ${blank}
    `.execute(database)
    counts.set(name, Number(found.rows[0]?.n))
  }
  const others = columns.filter(({ type }) => type !== 'word')
  const cells = others.map(({ name }) => sql`count(${sql.ref(name)}) as ${sql.ref(name)}`)
  for (let after = 0; after < rows; after += BATCH) {
    const found = await sql<Record<string, unknown>>`
      select ${sql.join(cells)} from ${table('rows')} where position between ${after + 1} and ${after + BATCH}
    `.execute(database)
    for (const { name } of others) counts.set(name, (counts.get(name) ?? 0) + Number(found.rows[0]?.[name]))
    await setImmediate()
  }
  return counts
}
