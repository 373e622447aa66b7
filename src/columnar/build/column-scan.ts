import { newCodes } from '../indexes/rank-index.ts'
import type { Codes } from '../indexes/table-data.ts'

/** The rows of a table in served order, column by column, to build its columns and indexes from. */
export interface ColumnScan {
  readonly rows: number
  /** The distinct values of a column: words, or numbers, or days since 1970-01-01. A number or day may be null. */
  values(column: string): readonly ColumnValue[]
  /**
   * The cells of a column in batches of consecutive rows, as indexes into the list of distinct values; digests as 32 bytes each.
   * Each column is read once.
   */
  cells(column: string): Iterable<Uint32Array | Uint8Array>
}

export type ColumnValue = string | number | null

/** Reads a column as codes: the indexes of its values in `sorted`. */
export function readCodes(scan: ColumnScan, column: string, sorted: readonly ColumnValue[]): Codes {
  const placeOf = new Map(sorted.map((value, place) => [value, place]))
  const codeOf = Uint32Array.from(scan.values(column), value => placeOf.get(value) as number)
  const codes = newCodes(scan.rows, sorted.length)
  let row = 0
  for (const cells of scan.cells(column))
    for (let i = 0; i < cells.length; i++) codes[row++] = codeOf[cells[i] as number] as number
  return codes
}
