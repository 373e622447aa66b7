import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { ContainsFilter, EqualsFilter, WordsFilter } from '../../query/query.ts'
import { wordsOf } from '../../query/words.ts'
import { fold } from '../../values/text.ts'
import type { StoredTable } from './engine.ts'

/** A condition on dictionary-encoded columns or on positions, its values looked up. */
export interface WordCondition {
  /** The columns; a row must meet the condition in one of them. */
  readonly columns: readonly string[]
  /** The number of rows of the release that meet it; with several columns, no more than this. */
  readonly rows: number
  /** The dictionary blocks that hold its values, where known, as a list for {@link TableEngine.among}. */
  readonly blocks: string | undefined
  /** The condition on the cells of a row, for an index lookup. */
  of(cell: CellOf): RawBuilder<SqlBool>
  /** The condition on the cells of a row, for rows of a scan. */
  each(cell: CellOf): RawBuilder<SqlBool>
}

/** The cell of a column in a statement. */
export type CellOf = (column: string) => RawBuilder<unknown>

type WordFilter = ContainsFilter | EqualsFilter

/** Up to this many codes are sent back as a list; beyond that the engine looks them up again in each statement. */
const LISTED = 20_000

/** Looks up the dictionary values that a filter matches. The conditions leave out what all rows meet. */
export async function wordConditions(
  table: StoredTable,
  filter: WordFilter | WordsFilter,
): Promise<WordCondition[]> {
  if ('words' in filter) return conditionsOfWords(table, filter)
  const condition = await wordCondition(table, filter)
  return condition === undefined || condition.rows >= table.rows ? [] : [condition]
}

/** One condition a word: that one of the columns has it. */
async function conditionsOfWords(
  table: StoredTable,
  { words, fields }: WordsFilter,
): Promise<WordCondition[]> {
  const conditions: WordCondition[] = []
  for (const contains of wordsOf(words)) {
    const inFields: WordCondition[] = []
    for (const field of fields) inFields.push(...(await wordConditions(table, { field, contains })))
    // A column all of whose rows have the word has no condition.
    if (inFields.length < fields.length) continue
    const found = inFields.filter(({ rows }) => rows > 0)
    conditions.push(anyOf(found.length === 0 ? inFields : found))
    if (found.length === 0) break
  }
  return conditions
}

function anyOf(conditions: readonly WordCondition[]): WordCondition {
  const [only, another] = conditions
  if (only !== undefined && another === undefined) return only
  const either = (parts: readonly RawBuilder<SqlBool>[]) => sql<SqlBool>`(${sql.join(parts, sql` or `)})`
  return {
    columns: conditions.flatMap(({ columns }) => columns),
    rows: conditions.reduce((sum, { rows }) => sum + rows, 0),
    blocks: undefined,
    of: cell => either(conditions.map(condition => condition.of(cell))),
    each: cell => either(conditions.map(condition => condition.each(cell))),
  }
}

/** Looks up the rows with a digest, which are few: identical records share one. */
export async function digestCondition(
  { engine }: StoredTable,
  { field, equals }: EqualsFilter,
): Promise<WordCondition> {
  const digits = fold(String(equals))
  const wanted = Buffer.from(/^[0-9a-f]{64}$/.test(digits) ? digits : '', 'hex')
  const { rows: found } = await sql<{ rows: unknown; positions: string | null }>`
    select count(*) as rows, ${engine.list(sql.ref('position'))} as positions
    from ${engine.table('rows')} where ${sql.ref(field)} = ${wanted}`.execute(engine.database)
  const list = found[0]?.positions ?? ''
  const among = (cell: CellOf) => engine.among(cell('position'), list)
  return {
    ...{ columns: ['position'], rows: Number(found[0]?.rows ?? 0), blocks: undefined },
    ...{ of: among, each: among },
  }
}

/** Undefined if all values match. */
async function wordCondition(
  { engine, rollups, earlierFolds }: StoredTable,
  filter: WordFilter,
): Promise<WordCondition | undefined> {
  const { field: column } = filter
  const isPart = 'contains' in filter
  const text = fold(String(isPart ? filter.contains : filter.equals))
  if (isPart && text === '') return undefined
  // A value that its stored text meets is met by its folded text as well, so these only add to the others.
  const others = [...(await earlierFolds(column))]
    .filter(([, folded]) => (isPart ? folded.includes(text) : folded === text))
    .map(([code]) => code)
    .join()
  const met = (folded: RawBuilder<unknown>, code: RawBuilder<unknown>) => {
    const found = isPart ? engine.contains(folded, text) : sql<SqlBool>`${folded} = ${text}`
    return others === '' ? found : sql<SqlBool>`(${found} or ${engine.among(code, others)})`
  }
  const words = engine.table(`words_${column}`)
  const isMet = met(sql.ref('folded'), sql.ref('id'))

  // The blocks hold the texts as they are stored.
  const blocks = others === '' ? await rollups.blocksWith(column, text, !isPart) : undefined
  const inBlocks = blocks === undefined ? sql`` : sql`${engine.among(sql.ref('piece'), blocks)} and `
  const codes = sql`case when count(*) <= ${sql.lit(LISTED)} then ${engine.list(sql.ref('id'))} end`
  const { rows: found } = await sql<{ rows: unknown; codes: string | null }>`
    select coalesce(sum(count), 0) as rows, ${codes} as codes from ${words} where ${inBlocks}${isMet}
  `.execute(engine.database)
  const rows = Number(found[0]?.rows ?? 0)
  const list = found[0]?.codes
  if (typeof list === 'string') {
    const among = (cell: CellOf) => engine.among(cell(column), list)
    return { columns: [column], rows, blocks, of: among, each: among }
  }
  return {
    ...{ columns: [column], rows, blocks },
    of: cell => sql`${cell(column)} in (select id from ${words} where ${isMet})`,
    each: cell => met(sql`(select folded from ${words} where id = ${cell(column)})`, cell(column)),
  }
}
