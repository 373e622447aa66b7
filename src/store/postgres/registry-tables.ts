/** The tables of releases, as `migrations/` makes them; a type, as Kysely adds no interface to its tables. */
export type ReleaseTables = {
  releases: ReleaseRow
  /** Releases that were pruned, whose tables are still there for those that read them. */
  retired: { id: number; retired_at: number }
}

export type ReleaseRow = {
  /** By which its tables are named. */
  id: number
  dataset: string
  number: number
  hash: string
  rows: number
  published_at: string
  source: string
  synthetic: boolean
  added: number
  changed: number
  removed: number
}
