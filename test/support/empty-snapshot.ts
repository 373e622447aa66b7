import Type from 'typebox'
import { listCollection } from '../../src/query/list-collection.ts'
import type { Snapshot } from '../../src/releases/snapshots/snapshot.ts'
import type { Release } from '../../src/store/store.ts'

/** A snapshot without records. */
export const emptySnapshot = (release: Partial<Release>): Snapshot => ({
  release: release as Release,
  records: [],
  collection: listCollection([], Type.Object({})),
  heldValues: {},
})
