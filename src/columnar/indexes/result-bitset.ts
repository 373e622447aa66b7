import type { Batch } from '../query/batch.ts'
import { lowestOne, popcount } from './bits.ts'

const BLOCK_SHIFT = 12
const WORDS_PER_BLOCK = 2 ** BLOCK_SHIFT / 32

/** A set of rows, one bit per row: filled in any order, read in row order from any position. */
export interface ResultBitset {
  readonly total: number
  /** To be written by bitmap operations, followed by `count`. */
  readonly bits: Int32Array
  /** As many bits of working memory, all zero between uses. */
  readonly spare: Int32Array
  add(batch: Batch): void
  /** Counts the rows in the words [from, to) of bits. */
  count(from: number, to: number): void
  /** Writes the rows after the first `offset` into `rows`, which has room for no more than there are. */
  list(offset: number, rows: Uint32Array): void
  clear(): void
}

/** Creates an empty set for a table of this many rows. */
export function newResultBitset(rows: number): ResultBitset {
  const bits = new Int32Array(Math.ceil(rows / 32))
  const counts = new Uint32Array(Math.ceil(rows / 2 ** BLOCK_SHIFT))

  const result = {
    total: 0,
    bits,
    spare: new Int32Array(bits.length),
    add({ rows, count }: Batch): void {
      for (let i = 0; i < count; i++) {
        const row = rows[i] as number
        bits[row >>> 5] = (bits[row >>> 5] as number) | (1 << (row & 31))
        counts[row >>> BLOCK_SHIFT] = (counts[row >>> BLOCK_SHIFT] as number) + 1
      }
      result.total += count
    },
    count(from: number, to: number): void {
      for (let at = from; at < to; ) {
        const block = Math.floor(at / WORDS_PER_BLOCK)
        let count = 0
        for (const end = Math.min((block + 1) * WORDS_PER_BLOCK, to); at < end; at++)
          count += popcount(bits[at] as number)
        counts[block] = count
        result.total += count
      }
    },
    list(offset: number, rows: Uint32Array): void {
      let skip = offset
      let block = 0
      for (; skip >= (counts[block] as number); block++) skip -= counts[block] as number
      let listed = 0
      for (let at = block * WORDS_PER_BLOCK; listed < rows.length; at++) {
        // Rows are often far apart, so empty blocks are skipped.
        while (at % WORDS_PER_BLOCK === 0 && counts[at / WORDS_PER_BLOCK] === 0) at += WORDS_PER_BLOCK
        let word = bits[at] as number
        for (; word !== 0 && skip > 0; skip--) word &= word - 1
        for (; word !== 0 && listed < rows.length; word &= word - 1)
          rows[listed++] = at * 32 + lowestOne(word)
      }
    },
    clear(): void {
      for (let block = 0; block < counts.length; block++)
        if (counts[block] !== 0) bits.fill(0, block * WORDS_PER_BLOCK, (block + 1) * WORDS_PER_BLOCK)
      counts.fill(0)
      result.total = 0
    },
  }
  return result
}
