/** The tables of releases, as `migrations/` makes them; a type, as Kysely adds no interface to its tables. */
export type ReleaseTables = {
  releases: ReleaseRow
}

export type ReleaseRow = {
  dataset: string
  number: number
  hash: string
  file_sha256: string
  rows: number
  published_at: string
  source: string
  synthetic: number
  added: number
  changed: number
  removed: number
}
