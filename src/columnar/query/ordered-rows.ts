import type { OrderedColumn } from '../indexes/ordered-column.ts'
import { countBelow, kthSmallest, type WaveletMatrix } from '../indexes/wavelet-matrix.ts'

/** Counts the rows of a column's selected dates that come before a row. */
export function countRangeBefore(matrix: WaveletMatrix, { from, to }: OrderedColumn, row: number): number {
  return countBelow(matrix, from, to, row)
}

/** Returns the row of a column's selected dates that follows this many others in served order. */
export function kthRow(matrix: WaveletMatrix, { from, to }: OrderedColumn, others: number): number {
  return kthSmallest(matrix, from, to, others)
}

/** Writes them in served order, after the first `offset`, into `rows`, which has room for no more than there are. */
export function listRange(
  matrix: WaveletMatrix,
  { from, to, codes, mask }: OrderedColumn,
  offset: number,
  rows: Uint32Array,
): void {
  let row = kthSmallest(matrix, from, to, offset)
  for (let listed = 0; listed < rows.length; ) {
    // The next row is often near; otherwise the matrix finds it.
    const end = Math.min(codes.length, row + NEAR)
    for (; row < end && listed < rows.length; row++) {
      rows[listed] = row
      listed += mask[codes[row] as number] as number
    }
    if (listed < rows.length) row = kthSmallest(matrix, from, to, offset + listed)
  }
}

/** The number of rows that are scanned in the time of one look-up. */
const NEAR = 200
