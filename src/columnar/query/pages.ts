import { newHits } from '../indexes/result-bitset.ts'
import type { PairPart } from '../indexes/table-data.ts'
import { findSeveral } from './conjunction.ts'
import type { Question } from './plan.ts'
import { countRangeBefore, listRange } from './range-rows.ts'
import { countBefore, listRows } from './word-rows.ts'

/** How many rows a question finds, and those of one page. */
export interface FoundPage {
  readonly total: number
  readonly rows: Uint32Array
}

/** Finds pages. */
export function openPages(
  rows: number,
  pairs: readonly PairPart[],
): (question: Question, offset: number, limit: number) => FoundPage {
  const hits = newHits(rows)
  return (question, offset, limit) => {
    const { first, end, words, days } = question
    const [word] = words
    const [range] = days
    if (first === end) return page(0, offset, limit, () => {})
    if (words.length + days.length > 1) {
      try {
        const found = findSeveral(question, pairs, hits)
        return page(found.total, offset, limit, rows => found.list(offset, rows))
      } finally {
        hits.clear()
      }
    }
    if (word !== undefined) {
      const before = countBefore(word, first)
      const total = countBefore(word, end) - before
      return page(total, offset, limit, rows => listRows(word, before + offset, rows))
    }
    if (range !== undefined) {
      const before = countRangeBefore(range, first)
      const total = countRangeBefore(range, end) - before
      return page(total, offset, limit, rows => listRange(range, before + offset, rows))
    }
    return page(end - first, offset, limit, rows => listStretch(first + offset, rows))
  }
}

function listStretch(first: number, rows: Uint32Array): void {
  for (let i = 0; i < rows.length; i++) rows[i] = first + i
}

function page(total: number, offset: number, limit: number, list: (rows: Uint32Array) => void): FoundPage {
  const rows = new Uint32Array(Math.max(0, Math.min(limit, total - offset)))
  if (rows.length > 0) list(rows)
  return { total, rows }
}
