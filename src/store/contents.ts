/** The whole of a table as the engine keeps it, column by column, for a register in memory to be made from. */
export interface TableContents {
  /** The distinct words of a `word` column. */
  words(column: string): Promise<Words>
  /** All rows in served order, many at a time. */
  rows(): AsyncIterable<RowBatch>
}

/** Words, each at one place in three lists. */
export interface Words {
  /** The codes by which rows name them: whole numbers from 0, hardly more than there are words. */
  readonly codes: readonly number[]
  readonly values: readonly string[]
  /** What each folds to. */
  readonly folded: readonly string[]
}

/** Some rows, one after another, by columns in the layout's order. */
export interface RowBatch {
  readonly rows: number
  readonly columns: readonly CellBatch[]
}

/** A column of some rows: codes of words, days since 1970-01-01, or numbers; of digests, each one's 32 bytes in turn. */
export type CellBatch = readonly (number | null)[] | Uint8Array
