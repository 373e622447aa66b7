import type { Batch } from '../query/batch.ts'
import { visitBitmap } from '../query/bitmap-rows.ts'
import type { Condition, Stretch } from '../query/condition.ts'
import { flushVisit, startVisit, visitSlice } from '../query/posting-list-rows.ts'
import { valuesOf } from '../render/texts.ts'
import { lastBlock } from './rank-index.ts'
import type { WordPart } from './table-data.ts'
import { openSearch, type Search } from './word-search.ts'

/** A column of words in which some can be selected, for one question at a time. */
export interface WordColumn extends Condition {
  readonly part: WordPart
  /** The words selected are the first `count` of this. */
  readonly list: Uint32Array
  readonly count: number
  /** The bitmaps of those that have one, and how many rows the others have in lists. */
  readonly bitmaps: readonly Int32Array[]
  readonly listed: number
  /** Where those lie in the list: from and to of the first `runCount` slices in turn. Words often follow one another. */
  readonly runs: Uint32Array
  readonly runCount: number
  /** Selects the words that a folded text finds, or keeps those of them that are selected already. */
  select(kind: keyof Search, folded: string): void
  /** Selects nothing. */
  release(): void
  /** Gives a word. */
  value(code: number): string
}

/** Opens a column whose memory for selecting is its own, and used again and again. */
export function openWordColumn(part: WordPart): WordColumn {
  const { name, tally, starts, codes } = part
  const words = tally.words
  const totals = tally.before.subarray(lastBlock(tally) * words)
  const search = openSearch(part.search)
  const marks = new Uint8Array(words)
  const list = new Uint32Array(words)
  let isSelected = false

  const column = {
    name,
    part,
    codes,
    marks,
    list,
    count: 0,
    rows: 0,
    listed: 0,
    runs: new Uint32Array(words * 2),
    runCount: 0,
    bitmaps: [] as Int32Array[],
    select(kind: keyof Search, folded: string): void {
      if (isSelected) keepOnly(kind, folded)
      else column.count = search[kind](folded, marks, list)
      isSelected = true
      findRuns()
      column.rows = column.listed
      column.bitmaps = []
      for (const [word, bitmap] of part.bitmaps) {
        if (marks[word] !== 1) continue
        column.bitmaps.push(bitmap)
        column.rows += totals[word] as number
      }
    },
    value: valuesOf(part.texts),
    release(): void {
      for (let i = 0; i < column.count; i++) marks[list[i] as number] = 0
      column.count = 0
      isSelected = false
    },
    visit(stretch: Stretch, others: readonly Condition[], take: (batch: Batch) => void): void {
      for (const bitmap of column.bitmaps) visitBitmap(bitmap, stretch, others, take)
      const visit = startVisit(part.listed, stretch, others, take)
      const { runs, runCount } = column
      for (let i = 0; i < 2 * runCount; i += 2) visitSlice(visit, runs[i] as number, runs[i + 1] as number)
      flushVisit(visit)
    },
  }
  return column

  function findRuns(): void {
    const { runs, count } = column
    let end = 0
    column.listed = 0
    for (let i = 0; i < count; i++) {
      const first = list[i] as number
      let last = first
      for (; i + 1 < count && list[i + 1] === last + 1; i++) last++
      const from = starts[first] as number
      const to = starts[last + 1] as number
      if (from === to) continue
      runs[end++] = from
      runs[end++] = to
      column.listed += to - from
    }
    column.runCount = end / 2
  }

  /** Rare enough to have memory of its own each time. */
  function keepOnly(kind: keyof Search, folded: string): void {
    const alsoMarked = new Uint8Array(words)
    search[kind](folded, alsoMarked, new Uint32Array(words))
    let kept = 0
    for (let i = 0; i < column.count; i++) {
      const word = list[i] as number
      if (alsoMarked[word] === 1) list[kept++] = word
      else marks[word] = 0
    }
    column.count = kept
  }
}
