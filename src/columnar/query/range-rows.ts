import type { DayColumn } from '../indexes/day-column.ts'
import { countBelow, kthSmallest } from '../indexes/wavelet-matrix.ts'

/** The rows of a column's selected days in served order, without going through them. */

/** Counts the rows before one. */
export function countRangeBefore({ part, from, to }: DayColumn, row: number): number {
  return countBelow(part.matrix, from, to, row)
}

/** Gives the one that comes after so many others. */
export function rowOfRange({ part, from, to }: DayColumn, others: number): number {
  return kthSmallest(part.matrix, from, to, others)
}

/** Writes the rows after the first `offset` into `rows`, which has room for no more than there are. */
export function listRange(
  { part, from, to, codes, marks }: DayColumn,
  offset: number,
  rows: Uint32Array,
): void {
  let row = kthSmallest(part.matrix, from, to, offset)
  for (let listed = 0; listed < rows.length; ) {
    // The next is often near, and else it is sought.
    const end = Math.min(codes.length, row + NEAR)
    for (; row < end && listed < rows.length; row++) {
      rows[listed] = row
      listed += marks[codes[row] as number] as number
    }
    if (listed < rows.length) row = kthSmallest(part.matrix, from, to, offset + listed)
  }
}

/** So many rows are looked at in the time in which one is sought. */
const NEAR = 200
