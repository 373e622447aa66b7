import { tallyBetween } from '../indexes/rank-index.ts'
import type { WordPart } from '../indexes/table-data.ts'
import type { WordColumn } from '../indexes/word-column.ts'
import { visitFound } from './filtered-scan.ts'
import type { Question } from './plan.ts'

/** Counts the rows that a question finds by the words of a column. */
export function countWords(part: WordPart, question: Question): Uint32Array {
  const { first, end, isWhole, words, days } = question
  const { codes, tally } = part
  const [range] = days
  if (words.length === 0 && range === undefined)
    return tallyBetween(tally, codes.length, row => codes[row] as number, first, end)
  const byDay = range?.part.tallies.get(part.name)
  if (range !== undefined && byDay !== undefined && words.length === 0 && days.length === 1 && isWhole) {
    const { rows, beside } = range.part.listed
    const listed = beside.get(part.name)
    const codeAt = (at: number) => (listed === undefined ? codes[rows[at] as number] : listed[at]) as number
    return tallyBetween(byDay, rows.length, codeAt, range.from, range.to)
  }
  const counts = new Uint32Array(tally.words)
  visitFound(question, batch => {
    for (let i = 0; i < batch.count; i++) {
      const code = codes[batch.rows[i] as number] as number
      counts[code] = (counts[code] as number) + 1
    }
  })
  return counts
}

/** Names the words that were counted, the highest count first, ties by code units as codes are. */
export function namedCounts({ value }: WordColumn, counts: Uint32Array): [value: string, count: number][] {
  const words = counts.length
  const most = counts.reduce((high, count) => Math.max(high, count), 0)
  // One number a word, in the order wanted: sorting numbers is far quicker than comparing pairs.
  const keys = new Float64Array(words)
  let found = 0
  for (let code = 0; code < words; code++)
    if (counts[code] !== 0) keys[found++] = (most - (counts[code] as number)) * words + code
  return Array.from(keys.subarray(0, found).sort(), key => {
    const code = key % words
    return [value(code), counts[code] as number]
  })
}
