import type { Generated, Kysely } from 'kysely'

/** A registry over one connection, a pool or a transaction. */
export type Registry = Kysely<RegistryTables>

/** Runs a query of the registry wherever it can be read. */
export type ReadRegistry = <T>(query: (registry: Registry) => Promise<T>) => Promise<T>

/** Runs work in one writing transaction as soon as no other writer is in the way. Throws {@link StoreBusyError}. */
export type WriteRegistry = <T>(work: (transaction: Registry) => Promise<T>) => Promise<T>

/** The tables of the registry, as `schema.ts` creates them. */
export interface RegistryTables {
  state: { id: number; revision: number; history_revision: number }
  datasets: {
    name: string
    last_number: number
    current_number: number | null
    current_since: string | null
  }
  releases: ReleaseRow
  release_files: FileRow
  /** On PostgreSQL alone. */
  release_pieces: { name: string; piece: number; bytes: Uint8Array }
  first_seen: { dataset: string; id: string; seen: string }
  sources: { dataset: string; state: string }
  incidents: { key: string; type: string; data: string }
  reading_names: { id: Generated<number>; code: string; name: string }
  reading_statuses: { id: Generated<number>; status: string }
  observations: { at: number }
  readings: {
    at: number
    name_id: number
    ordinal: number
    spaces: number
    status_id: number | null
    open: number | null
    /** The import that added it; null for the feed's own. */
    batch: number | null
  }
  reading_batches: BatchRow
  reading_hours: {
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
}

export interface BatchRow {
  number: number
  imported_at: string
  source: string
  first_at: number
  last_at: number
  skipped: number
}

export interface ReleaseRow {
  dataset: string
  number: number
  hash: string
  /** Identified the content for earlier versions of the service, which find none of a release of this version. */
  locator: string
  rows: number
  published_at: string
  source: string
  synthetic: number
  added: number
  changed: number
  removed: number
  /** The positions held back, as JSON; null for none. */
  held_back: string | null
  /** When the release was pruned, in milliseconds since 1970; its content may remain for its last readers. */
  retired_at: number | null
}

/** The content of a release. */
export interface FileRow {
  dataset: string
  number: number
  /** Identifies it for the engine: the name of a file, or the number in the names of tables. */
  name: string
  /** Null where the records are rows of a database. */
  bytes: number | null
  sha256: string | null
  /** The sum of the digests of its records (`recordDigest`). */
  digest: string
  /** How many records have a value in each field, as JSON; null if unknown. */
  filled: string | null
}
