import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { TableLayout } from '../layout.ts'
import type { EarlierFolds } from './earlier-folds.ts'
import type { Rollups } from './rollups/rollups.ts'

/** What the queries of a table need of an engine besides standard SQL. */
export interface TableEngine {
  readonly database: Kysely<unknown>
  /**
   * Whether the planner does not know value frequencies, so that a statement must steer it to the most selective
   * condition.
   */
  readonly guesses?: true
  /** Whether a statement blocks the event loop until it ends, so that long work must be done in several. */
  readonly blocks?: true
  /** Whether the index of a dictionary-encoded column returns the positions of a value's rows in order. */
  readonly inOrder?: true
  /** One of the release's tables: `rows`, `words_` and a column, and the rollups. */
  table(name: string): RawBuilder<unknown>
  /** The release's tables, where it may have rollups. */
  tables?(): Promise<KnownTables>
  /** True if the first text contains the second, which is matched literally. */
  contains(text: RawBuilder<unknown>, part: string): RawBuilder<SqlBool>
  /** All numbers of a column as one text, joined by commas; null if there are none. */
  list(numbers: RawBuilder<unknown>): RawBuilder<unknown>
  /** True if the number is in such a list, written so that a planner can estimate the number of rows. */
  among(number: RawBuilder<unknown>, list: string): RawBuilder<SqlBool>
}

/** Columns by table. */
export type KnownTables = ReadonlyMap<string, ReadonlySet<string>>

/** The table of a release. */
export interface StoredTable {
  readonly engine: TableEngine
  readonly layout: TableLayout
  /** The number of rows. */
  readonly rows: number
  readonly rollups: Rollups
  readonly earlierFolds: EarlierFolds
}

/** The count in a result; a name that no column has. */
export const COUNT = sql.ref('/n')

/** Selects a count by columns, or one in all if there are none; a column may be computed by its `cell`. */
export function countBy(
  columns: readonly { readonly name: string; readonly cell?: RawBuilder<unknown> }[],
  count: RawBuilder<unknown>,
  from: RawBuilder<unknown>,
): RawBuilder<Readonly<Record<string, unknown>>> {
  const cells = columns.map(({ name, cell = sql.ref(name) }) => cell)
  const shown = columns.map(({ name }, index) => sql`${cells[index]} as ${sql.ref(name)}`)
  const groups = cells.length > 0 ? sql` group by ${sql.join(cells)}` : sql``
  return sql`select ${sql.join([...shown, sql`${count} as ${COUNT}`])} from ${from}${groups}`
}
