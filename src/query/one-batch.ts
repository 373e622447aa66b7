import type { StoredRecord } from './query.ts'
import type { RowBatch } from './result.ts'

/** The rows of a page that is in memory already, as a single batch. */
export async function* oneBatch(length: number, json: () => Buffer): AsyncGenerator<RowBatch> {
  if (length === 0) return
  yield { length, json, records: () => JSON.parse(`[${json()}]`) as StoredRecord[] }
}
