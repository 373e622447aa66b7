import type { ReleaseRow } from '../registry/registry-tables.ts'

/** The tables of releases, as `migrations/` create them. */
export type ReleaseTables = {
  releases: ReleaseRow<number> & { file_sha256: string }
}
