import type { Generated, Kysely } from 'kysely'

/** Over one connection or many, or in a transaction. An engine adds its tables of releases by `withTables`. */
export type Registry = Kysely<RegistryTables>

/** The tables of the registry that are the same on every engine, as each one's `migrations/` makes them. */
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
 * What every engine's table of releases says of one; `Flag` is true and false as the engine keeps them. A type, as Kysely
 * adds no interface to its tables.
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
