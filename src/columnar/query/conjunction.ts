import type { DictionaryColumn } from '../indexes/dictionary-column.ts'
import type { OrderedColumn } from '../indexes/ordered-column.ts'
import { countOfTwo } from '../indexes/pair-counts.ts'
import type { ResultBitset } from '../indexes/result-bitset.ts'
import type { PairCounts } from '../indexes/table-data.ts'
import type { WaveletMatrix } from '../indexes/wavelet-matrix.ts'
import { BATCH_SIZE, type Batch, fillSelectedRows, keepSelected, newBatch } from './batch.ts'
import { intersectBitmaps, isBitmapAndCheaper } from './bitmap-and.ts'
import { type Condition, mostSelectiveFirst } from './condition.ts'
import { listRows } from './dictionary-rows.ts'
import { visitSelected } from './filtered-scan.ts'
import { kthRow } from './ordered-rows.ts'
import type { Plan } from './plan.ts'

/** The number of selected rows, and a function that writes those after the first `offset` in served order. */
export interface Found {
  readonly total: number
  list(offset: number, rows: Uint32Array): void
}

/** Finds the rows that meet several conditions; only those of a page where an index has their number. */
export function findConjunction(plan: Plan, pairs: readonly PairCounts[], result: ResultBitset): Found {
  const total = countOfTwo(plan, pairs)
  if (total === undefined) return findAll(plan, result)
  const { dictionaries, ordered } = plan
  const [range] = ordered
  const matrix = range?.data.index?.matrix
  return {
    total,
    list(offset, rows) {
      const isListed =
        range === undefined || matrix === undefined
          ? listInOrder(mostSelectiveFirst(dictionaries), total, offset, rows)
          : scanRange(
              matrix,
              range,
              mostSelectiveFirst<Condition>([...dictionaries, ...ordered]),
              total,
              offset,
              rows,
            )
      if (!isListed) findAll(plan, result).list(offset, rows)
    },
  }
}

/** Finds all rows of a plan, for which the result must be empty. */
export function findAll(plan: Plan, result: ResultBitset): ResultBitset {
  if (isBitmapAndCheaper(plan)) intersectBitmaps(plan, result)
  else visitSelected(plan, result.add)
  return result
}

const batch = newBatch()

/** Collects the rows of a page from batches in served order. */
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

/** Lists the rows of the most selective condition in served order until a page is full; false where that costs more. */
function listInOrder(
  [column, ...others]: readonly DictionaryColumn[],
  total: number,
  offset: number,
  rows: Uint32Array,
): boolean {
  if (column === undefined) return false
  const expected = Math.ceil(((offset + rows.length) / total) * column.rows)
  if (expected * IN_ORDER_COST > column.rows) return false
  const page = openPage(offset, rows)
  for (let at = 0; !page.isFull(); ) {
    const size = Math.min(expected + rows.length, BATCH_SIZE, column.rows - at)
    listRows(column, at, batch.rows.subarray(0, size))
    batch.count = size
    for (const { codes, mask } of others) keepSelected(batch, codes, mask)
    page.take(batch)
    at += size
  }
  return true
}

/** The cost of a row that is listed in served order, relative to one that comes in any order. */
const IN_ORDER_COST = 3

/** Scans the table from the first row of a range of dates until a page is full; false where that costs more. */
function scanRange(
  matrix: WaveletMatrix,
  range: OrderedColumn,
  [condition, ...others]: readonly Condition[],
  total: number,
  offset: number,
  rows: Uint32Array,
): boolean {
  if (condition === undefined) return false
  const first = kthRow(matrix, range, 0)
  // The end of the page if the other condition were met equally often everywhere in the range.
  const share = (offset + rows.length) / total
  const expected = kthRow(matrix, range, Math.min(range.rows - 1, Math.ceil(share * range.rows)))
  const most = condition.rows * SCANNED
  if (expected - first > most) return false
  const page = openPage(offset, rows)
  const last = Math.min(condition.codes.length, first + 2 * most)
  for (let row = first; row < last && !page.isFull(); row += BATCH_SIZE) {
    batch.count = 0
    fillSelectedRows(batch, row, Math.min(last, row + BATCH_SIZE), condition.codes, condition.mask)
    for (const { codes, mask } of others) keepSelected(batch, codes, mask)
    page.take(batch)
  }
  return page.isFull()
}

/** The number of rows that are scanned in the time in which one that comes in any order is added to a result. */
const SCANNED = 2
