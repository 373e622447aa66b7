/** The rows of a table in served order, column by column, from which its columns and indexes are built. */
export interface ColumnScan {
  readonly rows: number
  /** The distinct values of a column of words. */
  words(column: string): readonly string[]
  /** The cells of a column in batches of consecutive rows. Each column is read once. */
  cells(column: string): Iterable<CellBatch>
}

/**
 * Consecutive cells of a column: for words, their places in the list of distinct values; days since 1970-01-01, or numbers; for
 * digests, 32 bytes each in turn.
 */
export type CellBatch = readonly (number | null)[] | Uint32Array | Uint8Array
