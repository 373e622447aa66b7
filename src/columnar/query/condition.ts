import type { Codes } from '../indexes/table-data.ts'
import type { Batch } from './batch.ts'

/** The rows [first, end). */
export interface Stretch {
  readonly first: number
  readonly end: number
  /** Whether it is all rows. */
  readonly isWhole: boolean
}

/** What rows have to meet in one column: that their code is marked. */
export interface Condition {
  /** Its column. */
  readonly name: string
  readonly codes: Codes
  /** One for every code that is wanted, else zero. */
  readonly marks: Uint8Array
  /** How many rows of the whole table meet it. */
  readonly rows: number
  /** Goes through the rows of a stretch that meet this and all others, in any order, a batch at a time. */
  visit(stretch: Stretch, others: readonly Condition[], take: (batch: Batch) => void): void
}

/** Orders conditions by how many rows meet them. */
export function rarestFirst<C extends Condition>(conditions: readonly C[]): C[] {
  return [...conditions].sort((one, other) => one.rows - other.rows)
}
