import { log2Above } from './bits.ts'
import type { Codes, RankIndex } from './table-data.ts'

/** Blocks have at least `2 ** MIN_SHIFT` entries, and at least one entry for each code, which bounds the index's size. */
const MIN_SHIFT = 10

/** Starts the rank index of a sequence. `add` takes the next code and returns how often this code occurred before. */
export function startRankIndex(length: number, size: number, minShift = MIN_SHIFT) {
  const shift = Math.max(minShift, log2Above(size))
  const blocks = Math.ceil(length / 2 ** shift)
  const rankIndex: RankIndex = { shift, size, before: new Uint32Array((blocks + 1) * size) }
  const counts = new Uint32Array(size)
  const mask = 2 ** shift - 1
  let added = 0
  return {
    rankIndex,
    add(code: number): number {
      if ((added & mask) === 0) rankIndex.before.set(counts, (added >>> shift) * size)
      added++
      const before = counts[code] as number
      counts[code] = before + 1
      return before
    },
    end(): void {
      rankIndex.before.set(counts, blocks * size)
    },
  }
}

/** Counts the occurrences of each code between two entries of the indexed sequence. */
export function countsBetween(
  { shift, size, before }: RankIndex,
  length: number,
  codeAt: (at: number) => number,
  from: number,
  to: number,
): Uint32Array {
  const counts = new Uint32Array(size)
  addBefore(to, 1)
  addBefore(from, -1)
  return counts

  function addBefore(at: number, sign: number): void {
    const block = Math.round(at / 2 ** shift)
    const start = Math.min(length, block * 2 ** shift)
    for (let code = 0; code < size; code++) add(code, sign * (before[block * size + code] as number))
    for (let entry = start; entry < at; entry++) add(codeAt(entry), sign)
    for (let entry = at; entry < start; entry++) add(codeAt(entry), -sign)
  }

  function add(code: number, count: number): void {
    counts[code] = (counts[code] as number) + count
  }
}

/** Allocates the codes of `length` rows for a number of distinct values. */
export function newCodes(length: number, values: number): Codes {
  return values <= 65_536 ? new Uint16Array(length) : new Uint32Array(length)
}
