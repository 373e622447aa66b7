import { lowestOne, popcount } from './bits.ts'

/** Sets of rows as one bit a row, 32 rows a word. */

/** Clears the bits of all rows but [first, end), of which the first and the last lie in the words [from, to). */
export function keepStretch(bits: Int32Array, first: number, end: number): void {
  const last = Math.ceil(end / 32) - 1
  if (last < 0) return
  bits[first >>> 5] = (bits[first >>> 5] as number) & (-1 << (first & 31))
  if ((end & 31) !== 0) bits[last] = (bits[last] as number) & ~(-1 << (end & 31))
}

/** Sets the bit of a row. */
export function setBit(bits: Int32Array, row: number): void {
  bits[row >>> 5] = (bits[row >>> 5] as number) | (1 << (row & 31))
}

/** Sets every bit of [from, to) that is set in others, which start `shift` words earlier. */
export function uniteBits(bits: Int32Array, others: Int32Array, from: number, to: number, shift = 0): void {
  for (let at = from; at < to; at++) bits[at] = (bits[at] as number) | (others[at + shift] as number)
}

/** Writes the numbers of the set bits, `base` more than their places, but for the first `skip`, until `rows` is full. */
export function listBits(bits: Int32Array, base: number, skip: number, rows: Uint32Array): void {
  let at = 0
  let left = skip
  for (let ones = popcount(bits[0] as number); ones <= left; ones = popcount(bits[at] as number)) {
    left -= ones
    at++
  }
  for (let listed = 0; listed < rows.length; at++) {
    let word = bits[at] as number
    for (; left > 0; left--) word &= word - 1
    for (; word !== 0 && listed < rows.length; word &= word - 1)
      rows[listed++] = base + at * 32 + lowestOne(word)
  }
}
