import type { Batch } from '../query/batch.ts'
import { lowestOne, popcount } from './bits.ts'

const BLOCK_SHIFT = 12
const WORDS_A_BLOCK = 2 ** BLOCK_SHIFT / 32

/** Rows found in any order, to be given in theirs. The memory, two bits a row, is used again and again. */
export interface Hits {
  readonly total: number
  /** One bit for each row. */
  readonly bits: Int32Array
  /** As many bits to work in, zero whenever nobody does. */
  readonly spare: Int32Array
  add(batch: Batch): void
  /** Counts the rows in the words [from, to) of bits, which were written from outside. */
  count(from: number, to: number): void
  /** Writes the rows after the first `offset` into `rows`, which has room for no more than there are. */
  list(offset: number, rows: Uint32Array): void
  /** Forgets them all. */
  clear(): void
}

export function newHits(rows: number): Hits {
  const bits = new Int32Array(Math.ceil(rows / 32))
  const counts = new Uint32Array(Math.ceil(rows / 2 ** BLOCK_SHIFT))

  const hits = {
    total: 0,
    bits,
    spare: new Int32Array(bits.length),
    add({ rows, count }: Batch): void {
      for (let i = 0; i < count; i++) {
        const row = rows[i] as number
        bits[row >>> 5] = (bits[row >>> 5] as number) | (1 << (row & 31))
        counts[row >>> BLOCK_SHIFT] = (counts[row >>> BLOCK_SHIFT] as number) + 1
      }
      hits.total += count
    },
    count(from: number, to: number): void {
      for (let at = from; at < to; ) {
        const block = Math.floor(at / WORDS_A_BLOCK)
        let count = 0
        for (const end = Math.min((block + 1) * WORDS_A_BLOCK, to); at < end; at++)
          count += popcount(bits[at] as number)
        counts[block] = count
        hits.total += count
      }
    },
    list(offset: number, rows: Uint32Array): void {
      let skip = offset
      let block = 0
      for (; skip >= (counts[block] as number); block++) skip -= counts[block] as number
      let listed = 0
      for (let at = block * WORDS_A_BLOCK; listed < rows.length; at++) {
        // Rows are often far apart: blocks without any are passed over.
        while (at % WORDS_A_BLOCK === 0 && counts[at / WORDS_A_BLOCK] === 0) at += WORDS_A_BLOCK
        let word = bits[at] as number
        for (; word !== 0 && skip > 0; skip--) word &= word - 1
        for (; word !== 0 && listed < rows.length; word &= word - 1)
          rows[listed++] = at * 32 + lowestOne(word)
      }
    },
    clear(): void {
      for (let block = 0; block < counts.length; block++)
        if (counts[block] !== 0) bits.fill(0, block * WORDS_A_BLOCK, (block + 1) * WORDS_A_BLOCK)
      counts.fill(0)
      hits.total = 0
    },
  }
  return hits
}
