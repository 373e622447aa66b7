import type { Codes } from '../indexes/table-data.ts'
import type { Batch } from './batch.ts'

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
