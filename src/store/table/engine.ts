import type { Kysely, RawBuilder, SqlBool } from 'kysely'

/** What the queries of a table need of an engine besides standard SQL. */
export interface TableEngine {
  readonly database: Kysely<unknown>
  /** Whether its planner does not know how frequent words are, so that it has to be told with which to start. */
  readonly guesses?: true
  /** Whether the index of any word tells the positions of its rows, in their order. */
  readonly inOrder?: true
  /** One of the release's tables: `rows`, `words_` and a column, and those of {@link tables}. */
  table(name: string): RawBuilder<unknown>
  /** The tables that the release has, each with its columns. Releases of before have fewer. */
  tables(): Promise<KnownTables>
  /** True where the first text contains the second; every character of it is plain. */
  contains(text: RawBuilder<unknown>, part: string): RawBuilder<SqlBool>
  /** All numbers of a column as one text, joined by commas; null where there are none. */
  list(numbers: RawBuilder<unknown>): RawBuilder<unknown>
  /** True where the number is one of such a text: a planner that sees them knows how many rows to expect. */
  among(number: RawBuilder<unknown>, list: string): RawBuilder<SqlBool>
}

/** Columns by table. */
export type KnownTables = ReadonlyMap<string, ReadonlySet<string>>

/** Gathers columns by table. */
export function columnsByTable(columns: readonly { table: string; column: string }[]): KnownTables {
  const tables = new Map<string, Set<string>>()
  for (const { table, column } of columns) tables.set(table, (tables.get(table) ?? new Set()).add(column))
  return tables
}
