import { lowestOne } from '../indexes/bits.ts'
import type { PostingList } from '../indexes/table-data.ts'
import {
  BATCH_SIZE,
  type Batch,
  fill,
  fillSelected,
  keepSelected,
  keepSelectedBytes,
  keepWithin,
  lookUp,
  newBatch,
} from './batch.ts'
import type { Condition, RowRange } from './condition.ts'

/** A visit to slices of a posting list for the rows of a range that meet every condition, in batches. */
export interface ListVisit {
  readonly batch: Batch
  readonly rows: Uint32Array
  readonly range: RowRange
  /** Conditions on columns with covering codes in the list, which is far faster than jumping to the codes of the rows. */
  readonly mostSelective: Covered<Uint8Array> | undefined
  readonly narrow: readonly Covered<Uint8Array>[]
  readonly wide: readonly Covered<Uint16Array<ArrayBuffer>>[]
  readonly others: readonly Condition[]
  readonly take: (batch: Batch) => void
}

interface Covered<Codes> {
  readonly codes: Codes
  readonly mask: Uint8Array
}

/** Starts a visit; the most selective condition is the first. */
export function startVisit(
  { rows, covering }: PostingList,
  range: RowRange,
  conditions: readonly Condition[],
  take: (batch: Batch) => void,
): ListVisit {
  const others = conditions.filter(({ name }) => !covering.has(name))
  const wide: Covered<Uint16Array<ArrayBuffer>>[] = []
  const narrow: Covered<Uint8Array>[] = []
  for (const { name, mask } of conditions) {
    const codes = covering.get(name)
    if (codes instanceof Uint16Array) wide.push({ codes, mask })
    else if (codes !== undefined) narrow.push({ codes, mask })
  }
  return { batch: newBatch(), rows, range, mostSelective: narrow.shift(), narrow, wide, others, take }
}

/** Visits the positions [from, to) of the list. */
export function visitSlice(visit: ListVisit, from: number, to: number): void {
  const { batch, mostSelective } = visit
  for (let at = from; at < to; ) {
    const until = Math.min(to, at + BATCH_SIZE - batch.count)
    if (mostSelective === undefined) fill(batch, at, until)
    else fillSelected(batch, at, until, mostSelective.codes, mostSelective.mask)
    at = until
    if (batch.count === BATCH_SIZE) flushVisit(visit)
  }
}

/** Passes on the batch so far; call it once more at the end. */
export function flushVisit({ batch, rows, range, narrow, wide, others, take }: ListVisit): void {
  for (const { codes, mask } of narrow) keepSelectedBytes(batch, codes, mask)
  for (const { codes, mask } of wide) keepSelected(batch, codes, mask)
  lookUp(batch, rows)
  if (!range.isWhole) keepWithin(batch, range.first, range.end)
  for (const { codes, mask } of others) keepSelected(batch, codes, mask)
  take(batch)
  batch.count = 0
}

/** Passes on the rows of a range that are in a bitmap and meet every condition, in batches. */
export function visitBitmap(
  bitmap: Int32Array,
  { first, end }: RowRange,
  conditions: readonly Condition[],
  take: (batch: Batch) => void,
): void {
  const batch = newBatch()
  const last = Math.ceil(end / 32)
  for (let at = first >>> 5; at < last; at++) {
    for (let bits = bitmap[at] as number; bits !== 0; bits &= bits - 1)
      batch.rows[batch.count++] = at * 32 + lowestOne(bits)
    if (batch.count > BATCH_SIZE - 32) flush()
  }
  flush()

  function flush(): void {
    keepWithin(batch, first, end)
    for (const { codes, mask } of conditions) keepSelected(batch, codes, mask)
    take(batch)
    batch.count = 0
  }
}
