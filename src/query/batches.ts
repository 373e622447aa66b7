import type { StoredRecord } from './query.ts'
import { countOf, type Group, type Groups, type Result, type RowBatch } from './result.ts'

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

/** An array with room to grow, and three texts. */
const GROUP_BYTES = 300

/** Groups that are already values in memory. */
export const heldGroups = (groups: readonly Group[]): Groups => ({
  length: groups.length,
  bytes: groups.length * GROUP_BYTES,
  slice: (from, to) => groups.slice(from, to),
  sum: from => groups.slice(from).reduce((sum, group) => sum + countOf(group), 0),
})
