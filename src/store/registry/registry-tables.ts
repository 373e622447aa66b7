import type { Generated, Kysely } from 'kysely'

/** A registry over one connection, a pool or a transaction. An engine adds its tables of releases by `withTables`. */
export type Registry = Kysely<RegistryTables>

/** The tables of the registry that all engines share, as their `migrations/` create them. */
export interface RegistryTables {
  state: { id: number; revision: number; history_revision: number }
  datasets: {
    name: string
    last_number: number
    current_number: number | null
    current_since: string | null
  }
  first_seen: { dataset: string; id: string; seen: string }
  reading_names: { id: Generated<number>; code: string; name: string }
  reading_statuses: { id: Generated<number>; status: string }
  observations: { at: number }
  readings: ReadingRow
  reading_hours: ReadingHourRow
}

export interface ReadingRow {
  at: number
  name_id: number
  ordinal: number
  spaces: number
  status_id: number | null
  open: number | null
}

export interface ReadingHourRow {
  name_id: number
  hour: number
  min: number
  max: number
  sum: number
  count: number
  first_at: number
  last_at: number
  last: number
}

/**
 * The columns that every engine has in its table of releases; `Flag` is the engine's boolean. A type, as Kysely adds no
 * interface to its tables.
 */
export type ReleaseRow<Flag> = {
  dataset: string
  number: number
  hash: string
  rows: number
  published_at: string
  source: string
  synthetic: Flag
  added: number
  changed: number
  removed: number
}
