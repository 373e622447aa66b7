import { firstWhere } from '../indexes/bits.ts'
import { borderOf, lastBlock, nearestBlock, sumBefore } from '../indexes/rank-index.ts'
import { keepStretch, listBits, setBit, uniteBits } from '../indexes/row-bits.ts'
import type { WordColumn } from '../indexes/word-column.ts'

/**
 * The rows of a column's selected words in served order, without going through them: words share no rows, so the
 * tallies of blocks add up, and only a block in which an end lies is looked into.
 */

/** Counts the rows before one. */
export function countBefore(column: WordColumn, row: number): number {
  const { part, list, count, codes, marks } = column
  const { tally } = part
  if (row === 0) return 0
  if (row === codes.length) return column.rows
  const block = nearestBlock(tally, row, codes.length)
  const border = borderOf(tally, block, codes.length)
  const share = (2 ** tally.shift / codes.length) * column.rows
  if (column.bitmaps.length === 0 && (count + share) * LISTED < Math.abs(row - border))
    return countListed(column, row)
  let sum = sumBefore(tally, list, count, block)
  for (let at = border; at < row; at++) sum += marks[codes[at] as number] as number
  for (let at = row; at < border; at++) sum -= marks[codes[at] as number] as number
  return sum
}

/** A row met in a list costs as much as so many that are scanned. */
const LISTED = 8

/** Counts them in the lists, of which only a block's part is gone through. */
function countListed({ part, list, count }: WordColumn, row: number): number {
  const { shift, words, before } = part.tally
  const block = (row >>> shift) * words
  let sum = 0
  for (let i = 0; i < count; i++) {
    const word = list[i] as number
    const start = part.starts[word] as number
    const end = part.starts[word + 1] as number
    let at = start + (before[block + word] as number)
    while (at < end && (part.listed.rows[at] as number) < row) at++
    sum += at - start
  }
  return sum
}

/** Writes the rows after the first `offset` into `rows`, which has room for no more than there are. */
export function listRows(column: WordColumn, offset: number, rows: Uint32Array): void {
  const { part, list, count, codes, bitmaps, listed, runCount } = column
  const { tally } = part
  // Where words are many and rows few, it takes longer to find the blocks than to go through all rows.
  const all = (codes.length / 32) * JOINED + runCount + listed * SET
  const scanned = (size: number) => ((size * codes.length) / column.rows) * SKEW
  if (bitmaps.length === 0 && all < Math.min(count * SOUGHT, count + scanned(offset + rows.length))) {
    listJoined(column, 0, lastBlock(tally), offset, rows)
    return
  }
  const before = (block: number) => (block === 0 ? 0 : sumBefore(tally, list, count, block))
  const last = lastBlock(tally)
  const start = offset === 0 ? 0 : firstWhere(1, last, block => before(block) > offset) - 1
  const skip = offset - before(start)
  const end = firstWhere(start + 1, last, block => before(block) >= offset + rows.length)
  const set = bitmaps.length === 0 ? before(end) - before(start) : listed
  const joined = (((end - start) * 2 ** tally.shift) / 32) * (bitmaps.length + 1) * JOINED
  const some = joined + count + set * SET
  if (some < scanned(skip + rows.length)) listJoined(column, start, end, skip, rows)
  else scan(column, borderOf(tally, start, codes.length), skip, rows)
}

/** What it costs to seek blocks for a word. */
const SOUGHT = 16

/** What 32 rows joined and a row set cost beside a row scanned. */
const JOINED = 0.5
const SET = 2
/** Rows may be far rarer where the page is than they are everywhere. */
const SKEW = 4

/** Sets a bit for each row in the blocks [start, end), and takes the page from those. */
function listJoined(column: WordColumn, start: number, end: number, skip: number, rows: Uint32Array): void {
  const { part, list, count, codes } = column
  const { words, before } = part.tally
  const from = borderOf(part.tally, start, codes.length)
  const to = borderOf(part.tally, end, codes.length)
  const base = from >>> 5
  const bits = new Int32Array(Math.ceil(to / 32) - base)
  for (const bitmap of column.bitmaps) uniteBits(bits, bitmap, 0, bits.length, base)
  keepStretch(bits, from - base * 32, to - base * 32)
  const { runs, runCount } = column
  const isAll = start === 0 && to === codes.length
  if (isAll) for (let i = 0; i < 2 * runCount; i += 2) setListed(runs[i] as number, runs[i + 1] as number)
  for (let i = 0; i < count && !isAll; i++) {
    const word = list[i] as number
    const first = part.starts[word] as number
    // A word with a bitmap has no list.
    if (first !== part.starts[word + 1])
      setListed(
        first + (before[start * words + word] as number),
        first + (before[end * words + word] as number),
      )
  }
  listBits(bits, base * 32, skip, rows)

  function setListed(first: number, last: number): void {
    for (let at = first; at < last; at++) setBit(bits, (part.listed.rows[at] as number) - base * 32)
  }
}

function scan({ codes, marks }: WordColumn, from: number, skip: number, rows: Uint32Array): void {
  let row = from
  for (let left = skip; left > 0; row++) left -= marks[codes[row] as number] as number
  for (let listed = 0; listed < rows.length; row++) {
    rows[listed] = row
    listed += marks[codes[row] as number] as number
  }
}
