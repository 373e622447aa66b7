import type { Hits } from '../indexes/result-bitset.ts'
import { keepStretch, setBit, uniteBits } from '../indexes/row-bits.ts'
import type { WordColumn } from '../indexes/word-column.ts'
import type { Question } from './plan.ts'

/** What a word of 32 bits, a row set in one, and a row looked at in another column cost beside each other. */
const JOINED = 0.5
const COUNTED = 2
const SET = 2
const CHECKED = 3

/** Whether {@link findTogether} can find the rows of a question, and sooner than going through those of one condition. */
export function areBestTogether({ first, end, words, days }: Question): boolean {
  if (words.length < 2 || days.length > 0) return false
  const rarest = Math.min(end - first, ...words.map(({ rows }) => rows))
  return costOf(words, (end - first) / 32) < rarest * CHECKED
}

/** Finds the rows that meet conditions on words, and no others, by joining bitmaps, 32 rows at a time. */
export function findTogether({ first, end, words }: Question, hits: Hits): void {
  const [one, ...others] = words
  if (one === undefined || first >= end) return
  const from = first >>> 5
  const to = Math.ceil(end / 32)
  const { bits, spare } = hits
  unite(one, bits, from, to)
  for (const other of others) {
    if (other.bitmaps.length === 1 && other.listed === 0)
      intersect(bits, other.bitmaps[0] as Int32Array, from, to)
    else {
      unite(other, spare, from, to)
      intersect(bits, spare, from, to)
      spare.fill(0, from, to)
    }
  }
  keepStretch(bits, first, end)
  hits.count(from, to)
}

function costOf(words: readonly WordColumn[], length: number): number {
  const each = words.map(({ listed, bitmaps }) => listed * SET + (bitmaps.length + 1) * length * JOINED)
  return each.reduce((sum, cost) => sum + cost, length * COUNTED)
}

function intersect(bits: Int32Array, others: Int32Array, from: number, to: number): void {
  for (let at = from; at < to; at++) bits[at] = (bits[at] as number) & (others[at] as number)
}

/** Sets the bits of a column's selected words, among the words of bits [from, to), which are zero. */
function unite({ bitmaps, part, list, count }: WordColumn, bits: Int32Array, from: number, to: number): void {
  const [one, ...others] = bitmaps
  if (one !== undefined) bits.set(one.subarray(from, to), from)
  for (const bitmap of others) uniteBits(bits, bitmap, from, to)
  const { starts, listed } = part
  for (let i = 0; i < count; i++) {
    const word = list[i] as number
    const last = starts[word + 1] as number
    for (let at = starts[word] as number; at < last; at++) {
      const row = listed.rows[at] as number
      if (row >= from * 32 && row < to * 32) setBit(bits, row)
    }
  }
}
