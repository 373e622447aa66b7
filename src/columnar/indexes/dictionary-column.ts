import type { Batch } from '../query/batch.ts'
import type { Condition, RowRange } from '../query/condition.ts'
import { flushVisit, startVisit, visitBitmap, visitSlice } from '../query/value-rows.ts'
import { setBit, uniteBits } from './bits.ts'
import { type DictionarySearch, openDictionarySearch } from './dictionary-search.ts'
import { lastBlock } from './rank-index.ts'
import type { DictionaryData } from './table-data.ts'

/** A column of dictionary-encoded strings in which values can be selected, for one query at a time. */
export interface DictionaryColumn extends Condition {
  readonly data: DictionaryData
  /** The selected codes are the first `count` of this. */
  readonly selected: Uint32Array
  readonly count: number
  /** The bitmaps of selected values that have one, and the number of rows of the others, in the posting list. */
  readonly bitmaps: readonly Int32Array[]
  readonly listed: number
  /** The slices of the posting list that hold those rows: from and to of the first `sliceCount` in turn. */
  readonly slices: Uint32Array
  readonly sliceCount: number
  /** Selects the values that a folded text matches, or keeps those of them that are selected already. */
  select(match: keyof DictionarySearch, folded: string): void
  /** Ends the selection. */
  release(): void
}

/** Opens a column with a selection mask of its own, which all queries share. */
export function openDictionaryColumn(data: DictionaryData): DictionaryColumn {
  const { name, rankIndex, starts, codes } = data
  const { size } = rankIndex
  const totals = rankIndex.before.subarray(lastBlock(rankIndex) * size)
  const search = openDictionarySearch(data.search)
  const mask = new Uint8Array(size)
  const selected = new Uint32Array(size)
  let isSelected = false

  const column = {
    name,
    data,
    codes,
    mask,
    selected,
    count: 0,
    rows: 0,
    listed: 0,
    slices: new Uint32Array(size * 2),
    sliceCount: 0,
    bitmaps: [] as Int32Array[],
    select(match: keyof DictionarySearch, folded: string): void {
      if (isSelected) keepOnly(match, folded)
      else column.count = search[match](folded, mask, selected)
      isSelected = true
      findSlices()
      column.rows = column.listed
      column.bitmaps = []
      for (const [code, bitmap] of data.bitmaps) {
        if (mask[code] !== 1) continue
        column.bitmaps.push(bitmap)
        column.rows += totals[code] as number
      }
    },
    release(): void {
      for (let i = 0; i < column.count; i++) mask[selected[i] as number] = 0
      column.count = 0
      isSelected = false
    },
    visit(range: RowRange, others: readonly Condition[], take: (batch: Batch) => void): void {
      for (const bitmap of column.bitmaps) visitBitmap(bitmap, range, others, take)
      const visit = startVisit(data.list, range, others, take)
      const { slices, sliceCount } = column
      for (let i = 0; i < 2 * sliceCount; i += 2)
        visitSlice(visit, slices[i] as number, slices[i + 1] as number)
      flushVisit(visit)
    },
  }
  return column

  /** Joins the slices of successive codes into one. */
  function findSlices(): void {
    const { slices, count } = column
    let end = 0
    column.listed = 0
    for (let i = 0; i < count; i++) {
      const first = selected[i] as number
      let last = first
      for (; i + 1 < count && selected[i + 1] === last + 1; i++) last++
      const from = starts[first] as number
      const to = starts[last + 1] as number
      if (from === to) continue
      slices[end++] = from
      slices[end++] = to
      column.listed += to - from
    }
    column.sliceCount = end / 2
  }

  /** Two filters on one column are rare, so this allocates. */
  function keepOnly(match: keyof DictionarySearch, folded: string): void {
    const other = new Uint8Array(size)
    search[match](folded, other, new Uint32Array(size))
    let kept = 0
    for (let i = 0; i < column.count; i++) {
      const code = selected[i] as number
      if (other[code] === 1) selected[kept++] = code
      else mask[code] = 0
    }
    column.count = kept
  }
}

/** Sets the bits of a column's selected values in the words [from, to). */
export function setSelected(
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
