import { lowestOne } from '../indexes/bits.ts'
import { BATCH_SIZE, type Batch, keepSelected, keepWithin, newBatch } from './batch.ts'
import type { Condition, RowRange } from './condition.ts'

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
