import type { DictionaryData, PairCounts } from '../indexes/table-data.ts'

/** Two columns whose values make more pairs than this have no co-occurrence counts. */
const MAX_PAIRS = 65_536

/** Counts the co-occurrences of values for every two columns of low cardinality. */
export function countPairs(columns: readonly DictionaryData[]): PairCounts[] {
  return columns.flatMap((one, i) =>
    columns
      .slice(i + 1)
      .filter(another => one.rankIndex.size * another.rankIndex.size <= MAX_PAIRS)
      .map(another => ({ one: one.name, another: another.name, counts: countsOf(one, another) })),
  )
}

function countsOf(one: DictionaryData, another: DictionaryData): Uint32Array<ArrayBuffer> {
  const width = another.rankIndex.size
  const counts = new Uint32Array(one.rankIndex.size * width)
  for (let row = 0; row < one.codes.length; row++) {
    const pair = (one.codes[row] as number) * width + (another.codes[row] as number)
    counts[pair] = (counts[pair] as number) + 1
  }
  return counts
}
