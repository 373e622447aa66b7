import type { StoredRecord } from '../../query/query.ts'
import { oncePerSnapshot } from './snapshot.ts'

/** The records of a snapshot in memory by their ids in lower case. */
export const recordsById = oncePerSnapshot(
  ({ records }) =>
    new Map<string, StoredRecord>(records.map(record => [String(record.id).toLowerCase(), record])),
)
