/** The column scan of a whole table, from which the columnar table is built. */
export interface ColumnScan {
  /** The distinct values of a dictionary-encoded column. */
  words(column: string): Promise<Words>
  /** All rows in served order, in batches. */
  rows(): AsyncIterable<RowBatch>
}

/** The values of a dictionary; each has the same index in all three lists. */
export interface Words {
  /** The codes that rows hold: whole numbers from 0, almost without gaps. */
  readonly codes: readonly number[]
  readonly values: readonly string[]
  /** The folded values. */
  readonly folded: readonly string[]
}

/** A batch of consecutive rows, by columns in the layout's order. */
export interface RowBatch {
  readonly rows: number
  readonly columns: readonly CellBatch[]
}

/** A column of a batch: dictionary codes, days since 1970-01-01, or numbers; for digests, 32 bytes each in turn. */
export type CellBatch = readonly (number | null)[] | Uint8Array
