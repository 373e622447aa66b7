import type { StoredRecord } from './query.ts'
import type { Result, RowBatch } from './result.ts'

/** A slow client holds one batch in memory, and a record may have several kilobytes. */
const BATCH_LENGTH = 20

/** Records in memory as one batch. */
export const batchOf = (records: readonly StoredRecord[]): RowBatch => ({
  length: records.length,
  records: () => records,
  json: () => Buffer.from(JSON.stringify(records).slice(1, -1)),
})

/** Gathers records into batches. No batch is empty. */
export async function* batchesOf(
  records: AsyncIterable<StoredRecord> | Iterable<StoredRecord>,
): AsyncGenerator<RowBatch> {
  let batch: StoredRecord[] = []
  for await (const record of records) {
    batch.push(record)
    if (batch.length < BATCH_LENGTH) continue
    yield batchOf(batch)
    batch = []
  }
  if (batch.length > 0) yield batchOf(batch)
}

/** A result whose page is in memory. */
export const heldResult = (total: number, page: readonly StoredRecord[]): Result => ({
  total,
  json: (before = '', after = '') => Buffer.from(before + JSON.stringify(page).slice(1, -1) + after),
  batches: () => batchesOf(page),
})
