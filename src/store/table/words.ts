import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { ContainsFilter, EqualsFilter } from '../../query/query.ts'
import { fold } from '../../values/text.ts'
import type { StoredTable } from './engine.ts'

/** A condition on a dictionary-encoded column, its values looked up. */
export interface WordCondition {
  readonly column: string
  /** The number of rows of the release that meet it. */
  readonly rows: number
  /** The dictionary blocks that hold its values, where known, as a list for {@link TableEngine.among}. */
  readonly blocks: string | undefined
  /** The condition on codes, for an index lookup. */
  of(code: RawBuilder<unknown>): RawBuilder<SqlBool>
  /** The condition on codes, for rows of a scan. */
  each(code: RawBuilder<unknown>): RawBuilder<SqlBool>
}

export type WordFilter = ContainsFilter | EqualsFilter

/** Up to this many codes are sent back as a list; beyond that the engine looks them up again in each statement. */
const LISTED = 20_000

/** Looks up the dictionary values that a filter matches. Undefined if all match. */
export async function wordCondition(
  { engine, rollups }: StoredTable,
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

  const blocks = await rollups.blocksWith(column, text, !isPart)
  const inBlocks = blocks === undefined ? sql`` : sql`${engine.among(sql.ref('piece'), blocks)} and `
  const codes = sql`case when count(*) <= ${sql.lit(LISTED)} then ${engine.list(sql.ref('id'))} end`
  const { rows: found } = await sql<{ rows: unknown; codes: string | null }>`
    select coalesce(sum(count), 0) as rows, ${codes} as codes from ${words} where ${inBlocks}${met(folded)}
  `.execute(engine.database)
  const rows = Number(found[0]?.rows ?? 0)
  const list = found[0]?.codes
  if (typeof list === 'string') {
    const among = (code: RawBuilder<unknown>) => engine.among(code, list)
    return { column, rows, blocks, of: among, each: among }
  }
  return {
    ...{ column, rows, blocks },
    of: code => sql`${code} in (select id from ${words} where ${met(folded)})`,
    each: code => met(sql`(select folded from ${words} where id = ${code})`),
  }
}
