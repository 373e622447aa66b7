import type { ReleaseRow } from '../registry/registry-tables.ts'

/** The tables of releases, as `migrations/` makes them. */
export type ReleaseTables = {
  /** Tables of a release are named by its id. */
  releases: ReleaseRow<boolean> & { id: number }
  /** Releases that were pruned, whose tables are still there for those that read them. */
  retired: { id: number; retired_at: number }
}
