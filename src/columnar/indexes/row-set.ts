import { lowestOne, popcount } from './bits.ts'

/** Rows of a table in ascending order. */
export interface RowSet {
  readonly total: number
  /** Skips `offset` rows and fills `rows` with the next ones. There must be enough rows to fill it. */
  list(offset: number, rows: Uint32Array): void
  /** Passes all rows to `take` in batches, in an array that is reused. */
  visit(take: (rows: Uint32Array) => void): void
  /** The same rows, in memory that no other query writes to. */
  own(): RowSet
}

/** Rows in a batch: so few that they stay in the processor's cache. */
const BATCH = 1024

/** The rows [first, end). */
export function rangeOfRows(first: number, end: number): RowSet {
  const rangeSet: RowSet = {
    total: end - first,
    list(offset, rows) {
      for (let i = 0; i < rows.length; i++) rows[i] = first + offset + i
    },
    visit(take) {
      const batch = new Uint32Array(BATCH)
      for (let offset = 0; offset < end - first; offset += BATCH) {
        const some = batch.subarray(0, end - first - offset)
        rangeSet.list(offset, some)
        take(some)
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
      for (let at = from; at < to; at++) {
        for (let word = bits[at] as number; word !== 0; word &= word - 1)
          batch[count++] = at * 32 + lowestOne(word)
        if (count <= BATCH - 32) continue
        take(batch.subarray(0, count))
        count = 0
      }
      take(batch.subarray(0, count))
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
