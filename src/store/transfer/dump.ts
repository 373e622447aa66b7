import type { Layout } from '../../query/layout.ts'
import type { StoredRecord } from '../../query/query.ts'
import type { PlainCell, ReleaseColumns } from './backup-format.ts'

/**
 * Everything that a store keeps, as it was at one moment, in a form that no engine owns. It is read once and in this
 * order: the releases, each to its end, then the tables. Both a store and a backup file give one.
 */
export interface Dump {
  readonly header: DumpHeader
  /** The kept releases of all datasets. */
  releases(): AsyncIterable<DumpedRelease>
  /** The other tables of the registry, with all of their columns. Throws at the end where anything is missing. */
  tables(): AsyncIterable<DumpedTable>
  close(): Promise<void>
}

export interface DumpHeader {
  /** The moment, ISO 8601 UTC. */
  readonly at: string
  /** The engine that the data was in, and the version of its schema there. */
  readonly engine: string
  readonly schema: number
}

export interface DumpedRelease {
  readonly entry: ReleaseEntry
  /**
   * The records in stored order. Throws {@link DamagedReleaseError}, at the end at the latest, unless they are those that
   * were published; the next release can be read nevertheless.
   */
  records(): AsyncIterable<RecordBatch>
}

/** Records with their canonical texts. */
export interface RecordBatch {
  readonly records: readonly StoredRecord[]
  readonly contents: readonly string[]
}

/** A release, except for its records. */
export interface ReleaseEntry {
  readonly row: ReleaseColumns
  /** Of its records as they were published, by `recordDigest`; null if its content cannot be opened. */
  readonly digest: string | null
}

export interface DumpedTable {
  readonly name: string
  readonly columns: readonly string[]
  rows(): AsyncIterable<readonly (readonly PlainCell[])[]>
}

/** How the records of a dataset are stored. */
export interface StoredDataset {
  readonly name: string
  readonly layout: Layout
  /** The key of a record (`Staging.append`). */
  keyOf(record: StoredRecord): string
  /** What is wrong with a record from outside; undefined for one that an import could have published. */
  check(record: StoredRecord): string | undefined
}
