import type { Kysely, RawBuilder, SqlBool } from 'kysely'

/** What the queries of a table need of an engine besides standard SQL. */
export interface TableEngine {
  readonly database: Kysely<unknown>
  /**
   * Whether the planner does not know value frequencies, so that a statement must steer it to the most selective
   * condition.
   */
  readonly guesses?: true
  /** Whether the index of a dictionary-encoded column returns the positions of a value's rows in order. */
  readonly inOrder?: true
  /** One of the release's tables: `rows`, `words_` and a column, and those of {@link tables}. */
  table(name: string): RawBuilder<unknown>
  /** The release's tables, each with its columns. Releases of earlier versions have fewer. */
  tables(): Promise<KnownTables>
  /** True if the first text contains the second, which is matched literally. */
  contains(text: RawBuilder<unknown>, part: string): RawBuilder<SqlBool>
  /** All numbers of a column as one text, joined by commas; null if there are none. */
  list(numbers: RawBuilder<unknown>): RawBuilder<unknown>
  /** True if the number is in such a list, written so that a planner can estimate the number of rows. */
  among(number: RawBuilder<unknown>, list: string): RawBuilder<SqlBool>
}

/** Columns by table. */
export type KnownTables = ReadonlyMap<string, ReadonlySet<string>>

/** Groups columns by table. */
export function columnsByTable(columns: readonly { table: string; column: string }[]): KnownTables {
  const tables = new Map<string, Set<string>>()
  for (const { table, column } of columns) tables.set(table, (tables.get(table) ?? new Set()).add(column))
  return tables
}
