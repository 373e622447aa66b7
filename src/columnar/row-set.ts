import type { Codes, RankIndex } from './table-data.ts'

/** Returns the codes of the rows of a batch: a part of `codes`, or gathered in `into`, which must have the length {@link BATCH}. */
export type ReadCodes = (codes: Codes, into: Uint32Array<ArrayBuffer>) => Codes

/** Rows of a table in ascending order. */
export interface RowSet {
  readonly total: number
  /** Skips `offset` rows and fills `rows` with the next ones. There must be enough rows to fill it. */
  list(offset: number, rows: Uint32Array): void
  /** Visits all rows in batches of up to {@link BATCH} rows. */
  visit(take: (read: ReadCodes, length: number) => void): void
  /** The same rows, in memory that no other query writes to. */
  own(): RowSet
}

/** The most rows in a batch of {@link RowSet.visit}: so few that they stay in the processor's cache. */
export const BATCH = 4096

/** The rows [first, end). */
export function rangeOfRows(first: number, end: number): RowSet {
  const rangeSet: RowSet = {
    total: end - first,
    list(offset, rows) {
      for (let i = 0; i < rows.length; i++) rows[i] = first + offset + i
    },
    visit(take) {
      for (let row = first; row < end; row += BATCH) {
        const last = Math.min(end, row + BATCH)
        take(codes => codes.subarray(row, last), last - row)
      }
    },
    own: () => rangeSet,
  }
  return rangeSet
}

/** 32-bit words in a block. Rows are counted by block, so that a page at any depth is found in steps of blocks. */
const BLOCK = 128

/** The rows whose bits are set in the words [from, to). */
export function rowsOfBits(bits: Int32Array, from: number, to: number): RowSet {
  const counts = new Uint32Array(Math.ceil((to - from) / BLOCK))
  let total = 0
  for (let block = 0, at = from; at < to; block++) {
    let count = 0
    for (const end = Math.min(at + BLOCK, to); at < end; at++)
      if (bits[at] !== 0) count += popcount(bits[at] as number)
    counts[block] = count
    total += count
  }
  return {
    total,
    list(offset, rows) {
      let skip = offset
      let block = 0
      for (; skip > 0 && skip >= (counts[block] as number); block++) skip -= counts[block] as number
      let listed = 0
      for (let at = from + block * BLOCK; listed < rows.length; at++) {
        let word = bits[at] as number
        for (; word !== 0 && skip > 0; skip--) word &= word - 1
        for (; word !== 0 && listed < rows.length; word &= word - 1)
          rows[listed++] = at * 32 + lowestOne(word)
      }
    },
    visit(take) {
      const batch = new Uint32Array(BATCH)
      let count = 0
      const read: ReadCodes = (codes, into) => {
        for (let i = 0; i < count; i++) into[i] = codes[batch[i] as number] as number
        return into.subarray(0, count)
      }
      for (let at = from; at < to; at++) {
        for (let word = bits[at] as number; word !== 0; word &= word - 1)
          batch[count++] = at * 32 + lowestOne(word)
        if (count <= BATCH - 32) continue
        take(read, count)
        count = 0
      }
      take(read, count)
    },
    own: () => rowsOfBits(bits.slice(0, to), from, to),
  }
}

/** All rows at once. */
export function allOf(rows: RowSet): Uint32Array {
  const all = new Uint32Array(rows.total)
  if (all.length > 0) rows.list(0, all)
  return all
}

/** Counts the ones of a 32-bit word. */
function popcount(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555)
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333)
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

/** Returns the position, from 0, of the lowest one of a 32-bit word that is not zero. */
export function lowestOne(word: number): number {
  return 31 - Math.clz32(word & -word)
}

/** Returns the least exponent for which `1 << exponent` is at least n. */
function log2Above(n: number): number {
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

/** Blocks have at least `2 ** MIN_SHIFT` entries, and at least one entry for each code, which bounds the index's size. */
const MIN_SHIFT = 10

/** Starts the rank index of a sequence. `add` takes the next code and returns how often this code occurred before. */
export function startRankIndex(length: number, size: number, minShift = MIN_SHIFT) {
  const shift = Math.max(minShift, log2Above(size))
  const blocks = Math.ceil(length / 2 ** shift)
  const rankIndex: RankIndex = { shift, size, before: new Uint32Array((blocks + 1) * size) }
  const counts = new Uint32Array(size)
  const mask = 2 ** shift - 1
  let added = 0
  return {
    rankIndex,
    add(code: number): number {
      if ((added & mask) === 0) rankIndex.before.set(counts, (added >>> shift) * size)
      added++
      const before = counts[code] as number
      counts[code] = before + 1
      return before
    },
    end(): void {
      rankIndex.before.set(counts, blocks * size)
    },
  }
}

/** Counts the occurrences of each code between two entries of the indexed sequence. */
export function countsBetween(
  { shift, size, before }: RankIndex,
  length: number,
  codeAt: (at: number) => number,
  from: number,
  to: number,
): Uint32Array {
  const counts = new Uint32Array(size)
  addBefore(to, 1)
  addBefore(from, -1)
  return counts

  function addBefore(at: number, sign: number): void {
    const block = Math.round(at / 2 ** shift)
    const start = Math.min(length, block * 2 ** shift)
    for (let code = 0; code < size; code++) add(code, sign * (before[block * size + code] as number))
    for (let entry = start; entry < at; entry++) add(codeAt(entry), sign)
    for (let entry = at; entry < start; entry++) add(codeAt(entry), -sign)
  }

  function add(code: number, count: number): void {
    counts[code] = (counts[code] as number) + count
  }
}

/** Allocates the codes of `length` rows for a number of distinct values. */
export function newCodes(length: number, values: number): Codes {
  return values <= 65_536 ? new Uint16Array(length) : new Uint32Array(length)
}
