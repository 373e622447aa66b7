import { firstWhere, keepRange, listBits, setBit, uniteBits } from '../indexes/bits.ts'
import type { DictionaryColumn } from '../indexes/dictionary-column.ts'
import { blockStart, lastBlock, nearestBlock, sumBefore } from '../indexes/rank-index.ts'

/**
 * The rows of a column's selected values in served order, without visiting them: values share no rows, so the block
 * prefix counts of the rank index add up, and only a block in which an end lies is scanned.
 */

/** Counts the rows of the selected values that come before a row. */
export function countBefore(column: DictionaryColumn, row: number): number {
  const { data, selected, count, codes, mask } = column
  const { rankIndex } = data
  if (row === 0) return 0
  if (row === codes.length) return column.rows
  const block = nearestBlock(rankIndex, row, codes.length)
  const start = blockStart(rankIndex, block, codes.length)
  const share = (2 ** rankIndex.shift / codes.length) * column.rows
  if (column.bitmaps.length === 0 && (count + share) * LISTED_COST < Math.abs(row - start))
    return countListed(column, row)
  let sum = sumBefore(rankIndex, selected, count, block)
  for (let at = start; at < row; at++) sum += mask[codes[at] as number] as number
  for (let at = row; at < start; at++) sum -= mask[codes[at] as number] as number
  return sum
}

/** The cost of a row of a posting list, relative to one that is scanned. */
const LISTED_COST = 8

/** Counts them in the posting lists, reading only the part of one block. */
function countListed({ data, selected, count }: DictionaryColumn, row: number): number {
  const { shift, size, before } = data.rankIndex
  const block = (row >>> shift) * size
  let sum = 0
  for (let i = 0; i < count; i++) {
    const code = selected[i] as number
    const start = data.starts[code] as number
    const end = data.starts[code + 1] as number
    let at = start + (before[block + code] as number)
    while (at < end && (data.list.rows[at] as number) < row) at++
    sum += at - start
  }
  return sum
}

/** Writes them in served order, after the first `offset`, into `rows`, which has room for no more than there are. */
export function listRows(column: DictionaryColumn, offset: number, rows: Uint32Array): void {
  const { data, selected, count, codes, bitmaps, listed, sliceCount } = column
  const { rankIndex } = data
  // With many values and few rows, finding the blocks takes longer than listing all rows.
  const all = (codes.length / 32) * UNITE_COST + sliceCount + listed * SET_COST
  const scanned = (size: number) => ((size * codes.length) / column.rows) * SKEW
  if (bitmaps.length === 0 && all < Math.min(count * SEARCH_COST, count + scanned(offset + rows.length))) {
    listUnited(column, 0, lastBlock(rankIndex), offset, rows)
    return
  }
  const before = (block: number) => (block === 0 ? 0 : sumBefore(rankIndex, selected, count, block))
  const last = lastBlock(rankIndex)
  const start = offset === 0 ? 0 : firstWhere(1, last, block => before(block) > offset) - 1
  const skip = offset - before(start)
  const end = firstWhere(start + 1, last, block => before(block) >= offset + rows.length)
  const set = bitmaps.length === 0 ? before(end) - before(start) : listed
  const united = (((end - start) * 2 ** rankIndex.shift) / 32) * (bitmaps.length + 1) * UNITE_COST
  const some = united + count + set * SET_COST
  if (some < scanned(skip + rows.length)) listUnited(column, start, end, skip, rows)
  else scan(column, blockStart(rankIndex, start, codes.length), skip, rows)
}

/** The cost of searching the blocks for one value, relative to a row that is scanned. */
const SEARCH_COST = 16

/** The costs of 32 rows united and of a bit set, relative to a row that is scanned. */
const UNITE_COST = 0.5
const SET_COST = 2
/** Rows may be far rarer near the page than on average. */
const SKEW = 4

/** Sets a bit for each row in the blocks [start, end), and lists the page from those. */
function listUnited(
  column: DictionaryColumn,
  start: number,
  end: number,
  skip: number,
  rows: Uint32Array,
): void {
  const { data, selected, count, codes } = column
  const { size, before } = data.rankIndex
  const from = blockStart(data.rankIndex, start, codes.length)
  const to = blockStart(data.rankIndex, end, codes.length)
  const base = from >>> 5
  const bits = new Int32Array(Math.ceil(to / 32) - base)
  for (const bitmap of column.bitmaps) uniteBits(bits, bitmap, 0, bits.length, base)
  keepRange(bits, from - base * 32, to - base * 32)
  const { slices, sliceCount } = column
  const isAll = start === 0 && to === codes.length
  if (isAll)
    for (let i = 0; i < 2 * sliceCount; i += 2) setListed(slices[i] as number, slices[i + 1] as number)
  for (let i = 0; i < count && !isAll; i++) {
    const code = selected[i] as number
    const first = data.starts[code] as number
    // A value with a bitmap has no posting list.
    if (first !== data.starts[code + 1])
      setListed(
        first + (before[start * size + code] as number),
        first + (before[end * size + code] as number),
      )
  }
  listBits(bits, base * 32, skip, rows)

  function setListed(first: number, last: number): void {
    for (let at = first; at < last; at++) setBit(bits, (data.list.rows[at] as number) - base * 32)
  }
}

function scan({ codes, mask }: DictionaryColumn, from: number, skip: number, rows: Uint32Array): void {
  let row = from
  for (let left = skip; left > 0; row++) left -= mask[codes[row] as number] as number
  for (let listed = 0; listed < rows.length; row++) {
    rows[listed] = row
    listed += mask[codes[row] as number] as number
  }
}
