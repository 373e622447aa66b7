import { type RawBuilder, sql } from 'kysely'
import { readText } from '../encoding/escape-text.ts'
import type { KnownTables, TableEngine } from './engine.ts'
import { conditionsOf, type Question } from './question.ts'
import { TOGETHER } from './rollups/rollup-tables.ts'
import { countedRows } from './rollups/rollups.ts'

/** How often each word of a column is in the rows that meet a question: highest count first, ties by code units. */
export async function countsOf(
  engine: TableEngine,
  tables: KnownTables,
  question: Question,
  column: string,
): Promise<[string, number][]> {
  if (question.isEmpty) return []
  const words = engine.table(`words_${column}`)
  const isFree = question.isWhole && question.words.length === 0 && question.ranges.length === 0
  const { rows } = await (isFree
    ? sql<WordCount>`select value, count as n from ${words}`
    : sql<WordCount>`
        select value, n from (${await counts(engine, tables, question, column)}) as counts join ${words} on id = code`
  ).execute(engine.database)
  return sorted(rows)
}

interface WordCount {
  readonly value: string
  readonly n: unknown
}

/** The counts (`code`, `n`): from what the release has counted already where that tells, else by counting rows. */
async function counts(
  engine: TableEngine,
  tables: KnownTables,
  question: Question,
  column: string,
): Promise<RawBuilder<unknown>> {
  const counted = await countedRows(engine, tables, question, column)
  const code = sql.ref(column)
  return counted === undefined
    ? sql`
        select ${code} as code, count(*) as n from ${engine.table('rows')}
        where ${conditionsOf(engine, question)} group by ${code}`
    : sql`select ${code} as code, sum(${sql.ref(TOGETHER)}) as n from ${counted} group by ${code}`
}

/** Engines order text in other ways, so it is done here. */
function sorted(counts: readonly WordCount[]): [string, number][] {
  return counts
    .map(({ value, n }): [string, number] => [readText(value), Number(n)])
    .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
}
