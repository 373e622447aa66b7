import type { Collection } from '../../query/collection.ts'
import type { Snapshot } from '../../releases/snapshots/snapshot.ts'

/** The part of a snapshot that answers vehicle queries. */
export function registerOf(snapshot: Snapshot): Collection {
  if (snapshot.table === undefined) throw new Error('a vehicles snapshot holds no table')
  return snapshot.table
}
