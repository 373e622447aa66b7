import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { ContainsFilter, EqualsFilter } from '../../query/query.ts'
import { fold } from '../../values/text.ts'
import type { KnownTables, TableEngine } from './engine.ts'
import { piecesOf } from './rollups/rollup-tables.ts'
import { pieceText } from './rollups/word-pieces.ts'

/** A condition on a dictionary-encoded column, its values looked up. */
export interface WordCondition {
  readonly column: string
  /** The number of rows of the release that meet it. */
  readonly rows: number
  /** The dictionary blocks that hold its values, where known, as a list for {@link TableEngine.among}. */
  readonly pieces: string | undefined
  /** The condition on codes, for an index lookup. */
  of(code: RawBuilder<unknown>): RawBuilder<SqlBool>
  /** The condition on codes, for rows of a scan. */
  each(code: RawBuilder<unknown>): RawBuilder<SqlBool>
}

export type WordFilter = ContainsFilter | EqualsFilter

/** Up to this many codes are sent back as a list; beyond that the engine looks them up again in each statement. */
const LISTED = 20_000
/** If more blocks than this contain a text, all values of the dictionary are searched at once. */
const MOST_PIECES = 2000

/** Looks up the dictionary values that a filter matches. Undefined if all match. */
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

/** The dictionary blocks that contain a text; undefined if nearly all may. */
async function piecesWith(engine: TableEngine, column: string, text: string): Promise<string | undefined> {
  const pieces = sql`case when count(*) <= ${sql.lit(MOST_PIECES)} then coalesce(${engine.list(sql.ref('id'))}, '') end`
  const { rows } = await sql<{ pieces: string | null }>`
    select ${pieces} as pieces from ${engine.table(piecesOf(column))} where ${engine.contains(sql.ref('text'), text)}
  `.execute(engine.database)
  return rows[0]?.pieces ?? undefined
}
