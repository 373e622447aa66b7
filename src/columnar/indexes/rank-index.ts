import { log2Above } from './bits.ts'
import type { Codes, RankIndex } from './table-data.ts'

/** Blocks have at least this many entries, and at least as many as there are codes, which bounds the index's size. */
const MIN_SHIFT = 10

/** Starts the rank index of a sequence: `add` takes the next code and returns how often it occurred before. */
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

/** Returns the block that marks the end of the sequence. */
export function lastBlock({ size, before }: RankIndex): number {
  return before.length / size - 1
}

/** Counts the occurrences of the first `count` of some codes before a block. */
export function sumBefore(
  { size, before }: RankIndex,
  codes: Uint32Array,
  count: number,
  block: number,
): number {
  const row = block * size
  let sum = 0
  for (let i = 0; i < count; i++) sum += before[row + (codes[i] as number)] as number
  return sum
}

/** Returns the entry at which a block of a sequence of this length starts. */
export function blockStart({ shift }: RankIndex, block: number, length: number): number {
  return Math.min(length, block * 2 ** shift)
}

/** Returns the block whose start is nearest to an entry. */
export function nearestBlock(rankIndex: RankIndex, at: number, length: number): number {
  const below = Math.floor(at / 2 ** rankIndex.shift)
  const above = Math.min(below + 1, lastBlock(rankIndex))
  return at - blockStart(rankIndex, below, length) <= blockStart(rankIndex, above, length) - at
    ? below
    : above
}

/** Counts the occurrences of each code between two entries of the indexed sequence. */
export function countsBetween(
  rankIndex: RankIndex,
  length: number,
  codeAt: (at: number) => number,
  from: number,
  to: number,
): Uint32Array {
  const counts = new Uint32Array(rankIndex.size)
  addBefore(to, 1)
  addBefore(from, -1)
  return counts

  function addBefore(at: number, sign: number): void {
    const block = nearestBlock(rankIndex, at, length)
    const start = blockStart(rankIndex, block, length)
    const row = block * rankIndex.size
    for (let code = 0; code < rankIndex.size; code++)
      add(code, sign * (rankIndex.before[row + code] as number))
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
