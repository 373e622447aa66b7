import type { Question } from '../query/plan.ts'
import { borderOf, nearestBlock, sumBefore } from './rank-index.ts'
import type { DayPart, ListedPart, PairPart } from './table-data.ts'
import type { WordColumn } from './word-column.ts'

/** Counts the rows that two conditions find together without going through them; undefined where that is not kept. */
export function countOfTwo(
  { isWhole, words, days }: Question,
  pairs: readonly PairPart[],
): number | undefined {
  const [word, other] = words
  const [range] = days
  if (!isWhole || words.length + days.length !== 2 || word === undefined) return undefined
  if (range !== undefined) return countInList(word, range.part, range.from, range.to)
  for (const { one, another, counts } of pairs) {
    if (one === word.name && another === other?.name) return sumOfPairs(counts, word, other)
    if (one === other?.name && another === word.name) return sumOfPairs(counts, other, word)
  }
  return undefined
}

function sumOfPairs(counts: Uint32Array, one: WordColumn, another: WordColumn): number {
  const width = another.marks.length
  let sum = 0
  for (let i = 0; i < one.count; i++) {
    const start = (one.list[i] as number) * width
    for (let j = 0; j < another.count; j++) sum += counts[start + (another.list[j] as number)] as number
  }
  return sum
}

/** Counts the rows of selected words in the places [from, to) of a list that is ordered by day. */
function countInList(
  word: WordColumn,
  { listed, tallies }: DayPart,
  from: number,
  to: number,
): number | undefined {
  const tally = tallies.get(word.name)
  if (tally === undefined) return undefined
  const before = (at: number): number => {
    const block = nearestBlock(tally, at, listed.rows.length)
    const border = borderOf(tally, block, listed.rows.length)
    const sum = sumBefore(tally, word.list, word.count, block)
    return border < at
      ? sum + countMarked(word, listed, border, at)
      : sum - countMarked(word, listed, at, border)
  }
  return before(to) - before(from)
}

function countMarked(
  { name, marks, codes }: WordColumn,
  listed: ListedPart,
  from: number,
  to: number,
): number {
  const { rows } = listed
  const beside = listed.beside.get(name)
  let sum = 0
  if (beside === undefined)
    for (let at = from; at < to; at++) sum += marks[codes[rows[at] as number] as number] as number
  else for (let at = from; at < to; at++) sum += marks[beside[at] as number] as number
  return sum
}
