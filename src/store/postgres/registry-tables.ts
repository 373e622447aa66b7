import type { ReleaseRow } from '../registry/registry-tables.ts'

/** The tables of releases, as `migrations/` create them. */
export type ReleaseTables = {
  /** The tables of a release have names with its id. */
  releases: ReleaseRow<boolean> & { id: number }
  /** Pruned releases, whose tables remain for their last readers. */
  retired: { id: number; retired_at: number }
}
