import { lowestOne } from '../indexes/bits.ts'
import { BATCH_SIZE, type Batch, keepMarked, keepWithin, newBatch } from './batch.ts'
import type { Condition, Stretch } from './condition.ts'

/** Goes through the rows of a stretch that a bitmap has and that meet every condition, a batch at a time. */
export function visitBitmap(
  bitmap: Int32Array,
  { first, end }: Stretch,
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
    for (const { codes, marks } of conditions) keepMarked(batch, codes, marks)
    take(batch)
    batch.count = 0
  }
}
