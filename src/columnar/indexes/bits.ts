/** Counts the ones among 32 bits. */
export function popcount(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555)
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333)
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

/** Gives the place, from 0, of the lowest one among 32 bits that are not all zero. */
export function lowestOne(word: number): number {
  return 31 - Math.clz32(word & -word)
}

/** Gives how often 1 has to be doubled to reach a number, so that `1 << log2Above(n)` is at least n. */
export function log2Above(n: number): number {
  return n <= 1 ? 0 : 32 - Math.clz32(n - 1)
}

/** Gives the first whole number in [from, to) for which a condition, once true always true, holds; `to` if none. */
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
