import type { PairPart, WordPart } from '../indexes/table-data.ts'

/** Pairs of columns are counted where all their words together make no more pairs than this. */
const MOST_PAIRS = 65_536

/** Counts how often words of two columns stand in one row, for every two columns of few words. */
export function countPairs(words: readonly WordPart[]): PairPart[] {
  return words.flatMap((one, i) =>
    words
      .slice(i + 1)
      .filter(another => one.tally.words * another.tally.words <= MOST_PAIRS)
      .map(another => ({ one: one.name, another: another.name, counts: countsOf(one, another) })),
  )
}

function countsOf(one: WordPart, another: WordPart): Uint32Array<ArrayBuffer> {
  const width = another.tally.words
  const counts = new Uint32Array(one.tally.words * width)
  for (let row = 0; row < one.codes.length; row++) {
    const pair = (one.codes[row] as number) * width + (another.codes[row] as number)
    counts[pair] = (counts[pair] as number) + 1
  }
  return counts
}
