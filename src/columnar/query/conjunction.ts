import type { DayColumn } from '../indexes/day-column.ts'
import { countOfTwo } from '../indexes/pairs.ts'
import type { Hits } from '../indexes/result-bitset.ts'
import type { PairPart } from '../indexes/table-data.ts'
import type { WordColumn } from '../indexes/word-column.ts'
import { BATCH_SIZE, type Batch, fillMarkedRows, keepMarked, newBatch } from './batch.ts'
import { areBestTogether, findTogether } from './bitmap-and.ts'
import { type Condition, rarestFirst } from './condition.ts'
import { visitFound } from './filtered-scan.ts'
import type { Question } from './plan.ts'
import { rowOfRange } from './range-rows.ts'
import { listRows } from './word-rows.ts'

/** What a question finds: how many rows, and how to write those after the first `offset` in served order. */
export interface Found {
  readonly total: number
  list(offset: number, rows: Uint32Array): void
}

/** Finds the rows that meet several conditions. Where their number is known without, only those of a page are sought. */
export function findSeveral(question: Question, pairs: readonly PairPart[], hits: Hits): Found {
  const total = countOfTwo(question, pairs)
  if (total === undefined) return findAll(question, hits)
  const { words, days } = question
  const [range] = days
  return {
    total,
    list(offset, rows) {
      const isListed =
        range === undefined
          ? listInOrder(rarestFirst(words), total, offset, rows)
          : scanRange(range, rarestFirst<Condition>([...words, ...days]), total, offset, rows)
      if (!isListed) findAll(question, hits).list(offset, rows)
    },
  }
}

/** Finds all rows, for which `hits` must be empty. */
function findAll(question: Question, hits: Hits): Found {
  if (areBestTogether(question)) findTogether(question, hits)
  else visitFound(question, hits.add)
  return hits
}

const batch = newBatch()

/** Takes from a batch of rows found in served order what belongs to a page. */
function openPage(offset: number, rows: Uint32Array) {
  let skip = offset
  let listed = 0
  return {
    isFull: () => listed === rows.length,
    take({ rows: found, count }: Batch): void {
      const from = Math.min(skip, count)
      skip -= from
      const taken = Math.min(count - from, rows.length - listed)
      for (let i = 0; i < taken; i++) rows[listed + i] = found[from + i] as number
      listed += taken
    },
  }
}

/** Goes through the rarest condition's rows in served order until a page is full; false where to see all is cheaper. */
function listInOrder(
  [rarest, ...others]: readonly WordColumn[],
  total: number,
  offset: number,
  rows: Uint32Array,
): boolean {
  if (rarest === undefined) return false
  const expected = Math.ceil(((offset + rows.length) / total) * rarest.rows)
  if (expected * IN_ORDER > rarest.rows) return false
  const page = openPage(offset, rows)
  for (let at = 0; !page.isFull(); ) {
    const size = Math.min(expected + rows.length, BATCH_SIZE, rarest.rows - at)
    listRows(rarest, at, batch.rows.subarray(0, size))
    batch.count = size
    for (const { codes, marks } of others) keepMarked(batch, codes, marks)
    page.take(batch)
    at += size
  }
  return true
}

/** A row that is sought in served order costs as much as so many that come in any. */
const IN_ORDER = 3

/** Goes through all rows from a range's first on until a page is full; false where to see all found is cheaper. */
function scanRange(
  range: DayColumn,
  [rarest, ...others]: readonly Condition[],
  total: number,
  offset: number,
  rows: Uint32Array,
): boolean {
  if (rarest === undefined) return false
  const first = rowOfRange(range, 0)
  // Where the page would end if the other condition were met as often everywhere in the range.
  const share = (offset + rows.length) / total
  const expected = rowOfRange(range, Math.min(range.rows - 1, Math.ceil(share * range.rows)))
  const most = rarest.rows * SCANNED
  if (expected - first > most) return false
  const page = openPage(offset, rows)
  const last = Math.min(rarest.codes.length, first + 2 * most)
  for (let row = first; row < last && !page.isFull(); row += BATCH_SIZE) {
    batch.count = 0
    fillMarkedRows(batch, row, Math.min(last, row + BATCH_SIZE), rarest.codes, rarest.marks)
    for (const { codes, marks } of others) keepMarked(batch, codes, marks)
    page.take(batch)
  }
  return page.isFull()
}

/** So many rows are scanned in the time in which one that is found in any order is noted. */
const SCANNED = 2
