import type { Plan } from '../query/plan.ts'
import type { DictionaryColumn } from './dictionary-column.ts'
import { blockStart, nearestBlock, sumBefore } from './rank-index.ts'
import type { DateIndex, PairCounts, PostingList } from './table-data.ts'

/** Counts the rows that meet two conditions without visiting them; undefined where no index has that count. */
export function countOfTwo(
  { isWhole, dictionaries, ordered, conditions }: Plan,
  pairs: readonly PairCounts[],
): number | undefined {
  const [column, other] = dictionaries
  const [range] = ordered
  if (!isWhole || conditions !== 2 || column === undefined) return undefined
  if (range !== undefined)
    return range.data.index && countInList(column, range.data.index, range.from, range.to)
  for (const { one, another, counts } of pairs) {
    if (one === column.name && another === other?.name) return sumOfPairs(counts, column, other)
    if (one === other?.name && another === column.name) return sumOfPairs(counts, other, column)
  }
  return undefined
}

function sumOfPairs(counts: Uint32Array, one: DictionaryColumn, another: DictionaryColumn): number {
  const width = another.mask.length
  let sum = 0
  for (let i = 0; i < one.count; i++) {
    const start = (one.selected[i] as number) * width
    for (let j = 0; j < another.count; j++) sum += counts[start + (another.selected[j] as number)] as number
  }
  return sum
}

/** Counts the rows of selected values at the positions [from, to) of a posting list that is ordered by date. */
function countInList(
  column: DictionaryColumn,
  { list, rankIndexes }: DateIndex,
  from: number,
  to: number,
): number | undefined {
  const rankIndex = rankIndexes.get(column.name)
  if (rankIndex === undefined) return undefined
  const before = (at: number): number => {
    const block = nearestBlock(rankIndex, at, list.rows.length)
    const start = blockStart(rankIndex, block, list.rows.length)
    const sum = sumBefore(rankIndex, column.selected, column.count, block)
    return start < at
      ? sum + countSelected(column, list, start, at)
      : sum - countSelected(column, list, at, start)
  }
  return before(to) - before(from)
}

function countSelected(
  { name, mask, codes }: DictionaryColumn,
  { rows, covering }: PostingList,
  from: number,
  to: number,
): number {
  const covered = covering.get(name)
  let sum = 0
  if (covered === undefined)
    for (let at = from; at < to; at++) sum += mask[codes[rows[at] as number] as number] as number
  else for (let at = from; at < to; at++) sum += mask[covered[at] as number] as number
  return sum
}
