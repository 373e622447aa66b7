import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { ContainsFilter, EqualsFilter } from '../../query/query.ts'
import { fold } from '../../values/fold.ts'
import type { KnownTables, TableEngine } from './engine.ts'
import { piecesOf } from './rollups/rollup-tables.ts'
import { pieceText } from './rollups/word-pieces.ts'

/** A condition on a word column, its words looked up. */
export interface WordCondition {
  readonly column: string
  /** How many rows of the release meet it. */
  readonly rows: number
  /** The pieces that its words are in, where that is known, as a list for {@link TableEngine.among}. */
  readonly pieces: string | undefined
  /** The condition on codes, for finding the rows by it. */
  of(code: RawBuilder<unknown>): RawBuilder<SqlBool>
  /** The same for rows that are looked at one by one. */
  each(code: RawBuilder<unknown>): RawBuilder<SqlBool>
}

export type WordFilter = ContainsFilter | EqualsFilter

/** So many codes are sent to and fro; of more the engine looks the words up again. */
const LISTED = 20_000
/** If a part is in more pieces than this, it is looked for in all words at once. */
const MOST_PIECES = 2000

/** Looks up the words that meet a filter. Undefined where all do. */
export async function wordCondition(
  engine: TableEngine,
  tables: KnownTables,
  filter: WordFilter,
): Promise<WordCondition | undefined> {
  const { field: column } = filter
  const isPart = 'contains' in filter
  const text = fold(String(isPart ? filter.contains : filter.equals))
  if (isPart && text === '') return undefined
  const met = (folded: RawBuilder<unknown>) =>
    isPart ? engine.contains(folded, text) : sql<SqlBool>`${folded} = ${text}`
  const words = engine.table(`words_${column}`)
  const folded = sql.ref('folded')

  const pieces = tables.has(piecesOf(column))
    ? await piecesWith(engine, column, isPart ? text : pieceText([text]))
    : undefined
  const inPieces = pieces === undefined ? sql`` : sql`${engine.among(sql.ref('piece'), pieces)} and `
  const codes = sql`case when count(*) <= ${sql.lit(LISTED)} then ${engine.list(sql.ref('id'))} end`
  const { rows: found } = await sql<{ rows: unknown; codes: string | null }>`
    select coalesce(sum(count), 0) as rows, ${codes} as codes from ${words} where ${inPieces}${met(folded)}
  `.execute(engine.database)
  const rows = Number(found[0]?.rows ?? 0)
  const list = found[0]?.codes
  if (typeof list === 'string') {
    const among = (code: RawBuilder<unknown>) => engine.among(code, list)
    return { column, rows, pieces, of: among, each: among }
  }
  return {
    ...{ column, rows, pieces },
    of: code => sql`${code} in (select id from ${words} where ${met(folded)})`,
    each: code => met(sql`(select folded from ${words} where id = ${code})`),
  }
}

/** The pieces that have a text; undefined where nearly all may have it. */
async function piecesWith(engine: TableEngine, column: string, text: string): Promise<string | undefined> {
  const pieces = sql`case when count(*) <= ${sql.lit(MOST_PIECES)} then coalesce(${engine.list(sql.ref('id'))}, '') end`
  const { rows } = await sql<{ pieces: string | null }>`
    select ${pieces} as pieces from ${engine.table(piecesOf(column))} where ${engine.contains(sql.ref('text'), text)}
  `.execute(engine.database)
  return rows[0]?.pieces ?? undefined
}
