import type { Release } from '../../store/store.ts'
import { type DiffOptions, withDiff } from './diff.ts'
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

/** Compares two releases; nothing is read where they are equal. The differences can be read until `use` has ended. */
export async function compareReleases<T>(
  options: Omit<DiffOptions, 'from' | 'to'> & Sides,
  use: (differences: Differences) => Promise<T>,
): Promise<T> {
  if (options.from.hash === options.to.hash) return use(NO_DIFFERENCES)
  return withDiff(options, ({ differences }) => use(differences))
}
