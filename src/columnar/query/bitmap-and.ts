import { keepRange, setBit, uniteBits } from '../indexes/bits.ts'
import type { DictionaryColumn } from '../indexes/dictionary-column.ts'
import type { ResultBitset } from '../indexes/result-bitset.ts'
import type { Plan } from './plan.ts'

/** The costs of a 32-bit word united, a word counted, a bit set, and a row checked in another column. */
const UNITE_COST = 0.5
const COUNT_COST = 2
const SET_COST = 2
const CHECK_COST = 3

/** Returns whether {@link intersectBitmaps} finds a plan's rows faster than a visit to those of one condition. */
export function isBitmapAndCheaper({ first, end, dictionaries, conditions }: Plan): boolean {
  if (dictionaries.length < 2 || dictionaries.length < conditions) return false
  const fewest = Math.min(end - first, ...dictionaries.map(({ rows }) => rows))
  return costOf(dictionaries, (end - first) / 32) < fewest * CHECK_COST
}

/** Selects the rows that meet conditions on dictionary columns by a bitmap AND, 32 rows at a time. */
export function intersectBitmaps(
  { first, end, dictionaries: [one, ...others] }: Plan,
  result: ResultBitset,
): void {
  if (one === undefined || first >= end) return
  const from = first >>> 5
  const to = Math.ceil(end / 32)
  const { bits, spare } = result
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
  keepRange(bits, first, end)
  result.count(from, to)
}

function costOf(columns: readonly DictionaryColumn[], words: number): number {
  const each = columns.map(
    ({ listed, bitmaps }) => listed * SET_COST + (bitmaps.length + 1) * words * UNITE_COST,
  )
  return each.reduce((sum, cost) => sum + cost, words * COUNT_COST)
}

/** Clears every bit of the words [from, to) that is not set in other bits. */
export function intersect(bits: Int32Array, others: Int32Array, from: number, to: number): void {
  for (let at = from; at < to; at++) bits[at] = (bits[at] as number) & (others[at] as number)
}

/** Sets the bits of a column's selected values in the words [from, to). */
export function unite(
  { bitmaps, data, selected, count }: DictionaryColumn,
  bits: Int32Array,
  from: number,
  to: number,
): void {
  for (const bitmap of bitmaps) uniteBits(bits, bitmap, from, to)
  const { starts, list } = data
  for (let i = 0; i < count; i++) {
    const code = selected[i] as number
    const last = starts[code + 1] as number
    for (let at = starts[code] as number; at < last; at++) {
      const row = list.rows[at] as number
      if (row >= from * 32 && row < to * 32) setBit(bits, row)
    }
  }
}
