import type { SortKey } from '../../query/query.ts'
import type { ValueCodes } from './value-codes.ts'

/** A field to sort by: the rank of each code in the requested direction, null last. */
export interface SortCodes {
  readonly codes: ValueCodes['codes']
  readonly ranks: Uint32Array
}

/** Ranks the codes of a field. */
export function sortCodes({ codes, size }: ValueCodes, direction: SortKey['direction']): SortCodes {
  const ranks = Uint32Array.from({ length: size + 1 }, (_, code) =>
    direction === 'ascending' || code === size ? code : size - 1 - code,
  )
  return { codes, ranks }
}

/**
 * Returns the part [offset, offset + limit) of rows in the order of the keys; equal rows keep their order. Only rows with the
 * same first rank as a row of that part are sorted.
 */
export function sortRows(
  rows: Uint32Array,
  keys: readonly SortCodes[],
  offset: number,
  limit: number,
): Uint32Array {
  const [key] = keys
  const end = Math.min(rows.length, offset + limit)
  if (key === undefined || offset >= end) return rows.slice(offset, end)
  const counts = countRanks(rows, key)
  let first = 0
  let before = 0
  for (; before + (counts[first] as number) <= offset; first++) before += counts[first] as number
  let last = first
  let until = before
  for (; until < end; last++) until += counts[last] as number
  const candidates = new Uint32Array(until - before)
  let count = 0
  for (const row of rows) {
    const rank = key.ranks[key.codes[row] as number] as number
    if (rank >= first && rank < last) candidates[count++] = row
  }
  return sortByKeys(candidates, keys).slice(offset - before, end - before)
}

/** Sorts rows stably by all keys: a radix sort, the last key first. */
export function sortByKeys(rows: Uint32Array, keys: readonly SortCodes[]): Uint32Array {
  return keys.reduceRight((sorted, key) => {
    const next = countRanks(sorted, key)
    let start = 0
    for (let rank = 0; rank < next.length; rank++) {
      const count = next[rank] as number
      next[rank] = start
      start += count
    }
    const target = new Uint32Array(sorted.length)
    for (let i = 0; i < sorted.length; i++) {
      const row = sorted[i] as number
      const rank = key.ranks[key.codes[row] as number] as number
      const at = next[rank] as number
      target[at] = row
      next[rank] = at + 1
    }
    return target
  }, rows)
}

function countRanks(rows: Uint32Array, { codes, ranks }: SortCodes): Uint32Array {
  const counts = new Uint32Array(ranks.length)
  for (let i = 0; i < rows.length; i++) {
    const rank = ranks[codes[rows[i] as number] as number] as number
    counts[rank] = (counts[rank] as number) + 1
  }
  return counts
}
