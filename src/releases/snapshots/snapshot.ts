import type { TObject } from 'typebox'
import { fieldsOf } from '../../query/fields.ts'
import { listCollection } from '../../query/list-collection.ts'
import { provenanceIn } from '../../query/provenance.ts'
import type { Collection, StoredRecord } from '../../query/query.ts'
import type { Release } from '../../store/store.ts'

/** An open release that requests read. Immutable. */
export interface Snapshot {
  readonly release: Release
  /** Every record in served order; empty if the layout is a table. */
  readonly records: readonly StoredRecord[]
  /** Executes queries over the records. */
  readonly collection: Collection
  /** The values of fields of open enumerations, by field. Queries may filter by these values. */
  readonly heldValues: Readonly<Record<string, readonly string[]>>
}

/** Creates the snapshot of a release: `collection` holds the records of a table, `records` all others. */
export async function createSnapshot(
  release: Release,
  record: TObject,
  { records = [], collection = listCollection(records, record, provenanceIn(release)) }: Partial<Snapshot>,
): Promise<Snapshot> {
  const heldValues: Record<string, readonly string[]> = {}
  for (const { name, filter, values, isOpen } of fieldsOf(record)) {
    if (filter !== 'equals' || values === undefined || !isOpen) continue
    const groups = await collection.count({ by: [name] })
    heldValues[name] = groups.slice().flatMap(([value]) => (value === null ? [] : [String(value)]))
  }
  return { release, records, collection, heldValues }
}

/**
 * Memoises a value derived from a snapshot, such as a rendered list or an index, for as long as the snapshot lives.
 */
export function oncePerSnapshot<T>(make: (snapshot: Snapshot) => T): (snapshot: Snapshot) => T {
  const made = new WeakMap<Snapshot, { value: T }>()
  return snapshot => {
    let entry = made.get(snapshot)
    if (entry === undefined) {
      entry = { value: make(snapshot) }
      made.set(snapshot, entry)
      // A failure is not cached: the next call may succeed.
      if (entry.value instanceof Promise) entry.value.catch(() => made.delete(snapshot))
    }
    return entry.value
  }
}

/** The records of a snapshot in memory by their ids in lower case. */
export const recordsById = oncePerSnapshot(
  ({ records }) =>
    new Map<string, StoredRecord>(records.map(record => [String(record.id).toLowerCase(), record])),
)
