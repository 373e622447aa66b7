import type { Generated } from 'kysely'

/** The registry's tables, as `migrations/` makes them. */
export interface RegistryTables {
  state: { id: number; revision: number; history_revision: number }
  datasets: {
    name: string
    last_number: number
    current_number: number | null
    current_since: string | null
  }
  releases: ReleaseRow
  first_seen: { dataset: string; id: string; seen: string }
  reading_names: { id: Generated<number>; code: string; name: string }
  reading_statuses: { id: Generated<number>; status: string }
  observations: { at: number }
  readings: ReadingRow
  reading_hours: ReadingHourRow
}

export interface ReleaseRow {
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
