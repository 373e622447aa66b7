import type { Layout } from '../query/layout.ts'
import type { Collection, StoredRecord } from '../query/query.ts'
import type { Corrected, HeldBack, JournalEntry } from './registry/columns.ts'

export type { Corrected, HeldBack }

/** An entry to add to the journal, with the report of its import, small enough to keep. */
export interface NewEntry extends Omit<JournalEntry, 'number' | 'at' | 'last' | 'times' | 'detail'> {
  readonly detail?: string | null | undefined
  readonly report?: object | undefined
  /** The counts of the release's records. */
  readonly counts?: object | undefined
}

/** One immutable, fully validated version of a dataset, as the store's registry describes it. */
export interface Release {
  readonly dataset: string
  /** Counts up from 1 within the dataset and is never reused. */
  readonly number: number
  /** SHA-256 over the records as served, in source order: the same records give the same hash. */
  readonly hash: string
  readonly rows: number
  /** When it was published, ISO 8601 UTC. */
  readonly publishedAt: string
  /** When it last became current (by publishing or rolling back), ISO 8601 UTC; null if it is not current. */
  readonly currentSince: string | null
  /** The source of the records: a file name, `-` for standard input, or the demo's own name. */
  readonly source: string
  /** True for the synthetic island, whose places and vehicles do not exist. */
  readonly synthetic: boolean
  readonly changes: Changes
  /** Absent where no position is held back. */
  readonly heldBack?: readonly HeldBack[] | undefined
  /** Absent where no field is corrected. */
  readonly corrected?: readonly Corrected[] | undefined
  /** How many records have a value in each field. Absent where an earlier version of the service published it. */
  readonly filled?: Readonly<Record<string, number>> | undefined
  /** The size of its file; null where its records are rows of a database. */
  readonly bytes: number | null
}

/** How a release differs from its predecessor as the current one. */
export interface Changes {
  readonly added: number
  readonly changed: number
  readonly removed: number
}

/** A release opened for reading, its bytes verified. */
export interface OpenRelease {
  readonly release: Release
  /** Every record in served order. */
  records(): AsyncIterable<StoredRecord>
  /** The canonical texts of the records, in batches. */
  contents(): AsyncIterable<readonly string[]>
  /** Present if the layout is a table. */
  readonly table?: OpenTable
}

/** The table of an open release: in memory, with its size in `bytes`, or rows of a database. */
interface OpenTable extends Collection {
  readonly bytes?: number
  /** Whether rows are held as JSON rather than assembled for each result. */
  readonly isPrerendered?: boolean
}

/** How the records of a dataset are stored. */
export interface StoredDataset {
  readonly name: string
  readonly layout: Layout
  /** The key of a record (`Staging.append`). */
  keyOf(record: StoredRecord): string
  /** Describes the fault of a record from outside; undefined for a record that an import could have published. */
  check(record: StoredRecord): string | undefined
}

/** A release being written; invisible until it is published. */
export interface Staging {
  /**
   * Adds one record. `key` identifies it for {@link changesSince} and need not be unique. `json` is its JSON text, if
   * the caller has serialised it already. Await a returned promise before adding the next record. Most calls return no
   * promise, which saves much time over millions of records.
   */
  append(key: string, record: StoredRecord, json?: string): Promise<void> | undefined
  /**
   * Seals the release: builds indexes and returns the row count, the hash, and the number of exact duplicates. Reports
   * each long step by name as it begins.
   */
  seal(onPhase?: (phase: string) => void): Promise<{ rows: number; hash: string; repeated: number }>
  /**
   * Compares the sealed records with a release. A key with different content counts as changed, a key on one side only as
   * added or removed.
   */
  changesSince(release: Release | undefined): Promise<Changes>
  /** Makes the sealed records the dataset's current release, atomically, and prunes old releases (`KEEP_RELEASES`). */
  publish(details: PublishDetails): Promise<Release>
  /** Drops everything written. Harmless after {@link publish}. */
  discard(): Promise<void>
}

export interface PublishDetails {
  readonly source: string
  readonly synthetic: boolean
  readonly changes: Changes
  /** New ids and when each was first seen (ISO 8601 UTC). Stored so that a later import gets the same time. */
  readonly firstSeen: ReadonlyMap<string, string>
  readonly heldBack?: readonly HeldBack[]
  readonly corrected?: readonly Corrected[]
  readonly filled?: ReadonlyMap<string, number>
  /** The journal entry of the release; `report` makes its report from the number of the release. */
  readonly note?: Pick<NewEntry, 'event' | 'actor' | 'detail' | 'counts'> & { report(number: number): object }
}

/** The releases of all datasets: published, current, and being written. */
export interface ReleaseStore {
  /** A number, cheap to read, that changes with every change of a current release. */
  revision(): Promise<number>
  /** All releases of a dataset, newest first. */
  list(dataset: string): Promise<Release[]>
  /** The current release of a dataset. */
  current(dataset: string): Promise<Release | undefined>
  /**
   * Opens a release for reading, in memory unless its records are rows of a database. `isBeside` makes it give way to requests.
   * Throws {@link DamagedReleaseError} if its bytes differ from the published bytes.
   */
  open(release: Release, layout: Layout, isBeside?: boolean): Promise<OpenRelease>
  /** Reads all bytes of a release, keeping nothing. Throws {@link DamagedReleaseError} if they differ from the published bytes. */
  verify(release: Release): Promise<void>
  /**
   * Starts writing a release. One writer at a time: waits for another import up to `waitMs`, then throws
   * {@link StoreBusyError}. The lock lasts until publish or discard, or the end of the process.
   */
  stage(dataset: string, layout: Layout, options?: StageOptions): Promise<Staging>
  /**
   * Makes an existing release current. Throws {@link UnknownReleaseError}, {@link DamagedReleaseError} or {@link
   * StoreBusyError}. The journal names the actor; the process's own user if absent.
   */
  makeCurrent(dataset: string, number: number, actor?: string): Promise<Release>
  /** When each id of a dataset was first seen, for the ids with a stored time ({@link PublishDetails}). */
  firstSeen(dataset: string): Promise<Map<string, string>>
  /** Removes the leftovers of killed imports, unless an import is running. Resolves to the number of files or tables removed. */
  sweep(): Promise<number>
}

export interface StageOptions {
  /** How long to wait for the write lock; 0 if absent. */
  readonly waitMs?: number | undefined
  /** Called once as the waiting starts. */
  readonly onWait?: (() => void) | undefined
  /** Once aborted, waiting and publishing throw its reason. */
  readonly signal?: AbortSignal | undefined
}
