import type { Collection } from '../../query/collection.ts'
import type { StoredRecord } from '../../query/query.ts'
import type { Release } from '../../store/store.ts'

/** A current release in memory, in the form that requests are answered from. It never changes. */
export interface Snapshot {
  readonly release: Release
  /** Every record in served order; empty where the layout is a table. */
  readonly records: readonly StoredRecord[]
  /** Present where the layout is a table. */
  readonly table?: Collection
}

/**
 * Makes something of a snapshot once, however often it is asked for: a rendered list, an index.
 * What was made goes with the snapshot.
 */
export function oncePerSnapshot<T>(make: (snapshot: Snapshot) => T): (snapshot: Snapshot) => T {
  const made = new WeakMap<Snapshot, { value: T }>()
  return snapshot => {
    let entry = made.get(snapshot)
    if (entry === undefined) {
      entry = { value: make(snapshot) }
      made.set(snapshot, entry)
      // What failed once may work the next time.
      if (entry.value instanceof Promise) entry.value.catch(() => made.delete(snapshot))
    }
    return entry.value
  }
}
