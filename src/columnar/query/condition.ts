import type { Codes } from '../indexes/table-data.ts'
import { BATCH_SIZE, type Batch, fill, fillSelectedRows, keepSelected, newBatch } from './batch.ts'

/** The rows [first, end). */
export interface RowRange {
  readonly first: number
  readonly end: number
  /** Whether it is the whole table. */
  readonly isWhole: boolean
}

/** A condition on one column: the row's code is selected. */
export interface Condition {
  /** The column's name. */
  readonly name: string
  readonly codes: Codes
  /** The selection mask: 1 for every selected code, else 0. */
  readonly mask: Uint8Array
  /** The number of rows of the whole table that meet it. */
  readonly rows: number
  /** Passes on the rows of a range that meet this and all other conditions, in any order, in batches. */
  visit(range: RowRange, others: readonly Condition[], take: (batch: Batch) => void): void
}

/** Sorts conditions by the number of rows that meet them. */
export function mostSelectiveFirst<C extends Condition>(conditions: readonly C[]): C[] {
  return [...conditions].sort((one, other) => one.rows - other.rows)
}

/** Scans a range for the rows that meet every condition, in batches in row order. */
export function scanRows(
  range: { readonly first: number; readonly end: number },
  [condition, ...others]: readonly Condition[],
  take: (batch: Batch) => void,
): void {
  const batch = newBatch()
  for (let row = range.first; row < range.end; ) {
    const until = Math.min(range.end, row + BATCH_SIZE)
    if (condition === undefined) fill(batch, row, until)
    else fillSelectedRows(batch, row, until, condition.codes, condition.mask)
    row = until
    for (const { codes, mask } of others) keepSelected(batch, codes, mask)
    take(batch)
    batch.count = 0
  }
}
