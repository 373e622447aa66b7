import type { Release, Store } from '../../store/store.ts'
import type { Importable } from '../import/importable.ts'
import { withDiff } from './diff.ts'
import type { Differences } from './differences.ts'

/** Two releases of a dataset. */
export interface Sides {
  readonly from: Release
  readonly to: Release
}

/** Equal releases differ in nothing. */
const NO_DIFFERENCES: Differences = {
  counts: { added: 0, changed: 0, removed: 0 },
  async *added() {},
  async *removed() {},
  async *changed() {},
  close() {},
}

/**
 * Compares two releases in these fields, or in all. The differences can be read until `use` has ended; nothing is read where the
 * releases are equal.
 */
export async function compareReleases<T>(
  store: Store,
  dataset: Importable,
  fields: readonly string[] | undefined,
  { from, to }: Sides,
  use: (differences: Differences) => Promise<T>,
): Promise<T> {
  if (from.hash === to.hash) return use(NO_DIFFERENCES)
  return withDiff({ store, dataset, fields, from, to }, ({ differences }) => use(differences))
}
