import { log2Above } from './bits.ts'
import type { Codes, Tally } from './table-data.ts'

/** Blocks have at least this many entries; and at least as many as there are words, which bounds a tally's size. */
const LEAST_SHIFT = 10

/** Starts the tally of a sequence: `add` takes its codes one after another and gives how often each came before. */
export function startTally(length: number, words: number, leastShift = LEAST_SHIFT) {
  const shift = Math.max(leastShift, log2Above(words))
  const blocks = Math.ceil(length / 2 ** shift)
  const tally: Tally = { shift, words, before: new Uint32Array((blocks + 1) * words) }
  const counts = new Uint32Array(words)
  const mask = 2 ** shift - 1
  let taken = 0
  return {
    tally,
    add(code: number): number {
      if ((taken & mask) === 0) tally.before.set(counts, (taken >>> shift) * words)
      taken++
      const before = counts[code] as number
      counts[code] = before + 1
      return before
    },
    end(): void {
      tally.before.set(counts, blocks * words)
    },
  }
}

/** The block that stands for the end of the sequence. */
export function lastBlock({ words, before }: Tally): number {
  return before.length / words - 1
}

/** Counts how often the first `count` of some words occur before a block. */
export function sumBefore({ words, before }: Tally, list: Uint32Array, count: number, block: number): number {
  const row = block * words
  let sum = 0
  for (let i = 0; i < count; i++) sum += before[row + (list[i] as number)] as number
  return sum
}

/** Gives the entry at which a block of a sequence of this length starts. */
export function borderOf({ shift }: Tally, block: number, length: number): number {
  return Math.min(length, block * 2 ** shift)
}

/** Gives the block whose border is nearest to an entry. */
export function nearestBlock(tally: Tally, at: number, length: number): number {
  const below = Math.floor(at / 2 ** tally.shift)
  const above = Math.min(below + 1, lastBlock(tally))
  return at - borderOf(tally, below, length) <= borderOf(tally, above, length) - at ? below : above
}

/** Counts how often each word occurs between two entries of the sequence that was tallied. */
export function tallyBetween(
  tally: Tally,
  length: number,
  codeAt: (at: number) => number,
  from: number,
  to: number,
): Uint32Array {
  const counts = new Uint32Array(tally.words)
  addBefore(to, 1)
  addBefore(from, -1)
  return counts

  function addBefore(at: number, sign: number): void {
    const block = nearestBlock(tally, at, length)
    const border = borderOf(tally, block, length)
    const row = block * tally.words
    for (let code = 0; code < tally.words; code++) add(code, sign * (tally.before[row + code] as number))
    for (let entry = border; entry < at; entry++) add(codeAt(entry), sign)
    for (let entry = at; entry < border; entry++) add(codeAt(entry), -sign)
  }

  function add(code: number, count: number): void {
    counts[code] = (counts[code] as number) + count
  }
}

/** Makes an array for the codes of so many things. */
export function newCodes(length: number, things: number): Codes {
  return things <= 65_536 ? new Uint16Array(length) : new Uint32Array(length)
}
