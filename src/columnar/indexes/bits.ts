/** Counts the ones of a 32-bit word. */
export function popcount(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555)
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333)
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

/** Returns the position, from 0, of the lowest one of a 32-bit word that is not zero. */
export function lowestOne(word: number): number {
  return 31 - Math.clz32(word & -word)
}

/** Returns the least exponent for which `1 << exponent` is at least n. */
export function log2Above(n: number): number {
  return n <= 1 ? 0 : 32 - Math.clz32(n - 1)
}

/** Returns the first integer of [from, to) for which a monotonic condition holds; `to` if it holds for none. */
export function firstWhere(from: number, to: number, holds: (at: number) => boolean): number {
  let low = from
  let high = to
  while (low < high) {
    const middle = low + Math.floor((high - low) / 2)
    if (holds(middle)) high = middle
    else low = middle + 1
  }
  return low
}

/** Clears the bits outside [first, end) in the first and the last 32-bit word of this range. */
export function keepRange(bits: Int32Array, first: number, end: number): void {
  const last = Math.ceil(end / 32) - 1
  if (last < 0) return
  bits[first >>> 5] = (bits[first >>> 5] as number) & (-1 << (first & 31))
  if ((end & 31) !== 0) bits[last] = (bits[last] as number) & ~(-1 << (end & 31))
}

/** Sets the bit of a row. */
export function setBit(bits: Int32Array, row: number): void {
  bits[row >>> 5] = (bits[row >>> 5] as number) | (1 << (row & 31))
}

/** Sets every bit of the words [from, to) that is set in `others`. */
export function uniteBits(bits: Int32Array, others: Int32Array, from: number, to: number): void {
  for (let at = from; at < to; at++) bits[at] = (bits[at] as number) | (others[at] as number)
}

/** Clears every bit of the words [from, to) that is not set in `others`. */
export function intersectBits(bits: Int32Array, others: Int32Array, from: number, to: number): void {
  for (let at = from; at < to; at++) bits[at] = (bits[at] as number) & (others[at] as number)
}
