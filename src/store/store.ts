import type { Collection } from '../query/collection.ts'
import type { StoredRecord } from '../query/query.ts'
import type { TableContents } from './contents.ts'
import type { Instances } from './instances.ts'
import type { Layout } from './layout.ts'

/** One immutable, wholly validated version of a dataset, as the store's registry describes it. */
export interface Release {
  readonly dataset: string
  /** Counts up from 1 within the dataset and is never used again. */
  readonly number: number
  /** SHA-256 over the records in their served shape and source order: the same records give the same hash. */
  readonly hash: string
  readonly rows: number
  /** When it was published, ISO 8601 UTC. */
  readonly publishedAt: string
  /** When it last became current (publishing or rolling back), ISO 8601 UTC; null if it is not current. */
  readonly currentSince: string | null
  /** What it was made from: the name of a file, `-` for standard input, or the demo's own name. */
  readonly source: string
  /** True for the synthetic island, whose places and vehicles do not exist. */
  readonly synthetic: boolean
  readonly changes: Changes
}

/** How a release differs from the one that was current before it. */
export interface Changes {
  readonly added: number
  readonly changed: number
  readonly removed: number
}

/** A release opened for reading, its bytes verified against the registry. */
export interface OpenRelease {
  readonly release: Release
  /** Every record in served order. */
  records(): AsyncIterable<StoredRecord>
  /** Present where the layout is a table. */
  readonly table?: Collection
  /** Present where the layout is a table. */
  readonly contents?: TableContents
  close(): Promise<void>
}

/** A release being written aside; nobody sees it until it is published. */
export interface Staging {
  /**
   * Adds one record. `key` names it for {@link changesSince}; it need not be unique. A promise is to be waited for before
   * the next is added; most records are taken at once, and promises for millions of them would take longer than they.
   */
  append(key: string, record: StoredRecord): Promise<void> | undefined
  /**
   * Closes the writing: builds indexes and gives the row count, the hash, and how many rows repeat another exactly. What
   * takes long is told in words as it begins.
   */
  seal(onPhase?: (phase: string) => void): Promise<{ rows: number; hash: string; repeated: number }>
  /** Compares the sealed records with a release: a key with other content is changed, else it is added or removed. */
  changesSince(release: Release | undefined): Promise<Changes>
  /** Makes the sealed records the dataset's current release, in one step, and prunes releases beyond the newest five. */
  publish(details: PublishDetails): Promise<Release>
  /** Drops everything written. Harmless after {@link publish}. */
  discard(): Promise<void>
}

export interface PublishDetails {
  readonly source: string
  readonly synthetic: boolean
  readonly changes: Changes
  /** Ids met for the first time with when that was (ISO 8601 UTC); kept so that a later import gives the same. */
  readonly firstSeen: ReadonlyMap<string, string>
}

/** One car park's state as the feed told it. `spaces` is the number of free spaces. */
export interface LiveEntry {
  readonly name: string
  readonly code: string
  readonly spaces: number
  /** The feed's own word. */
  readonly status: string
  readonly open: boolean
}

/** What the feed told at one time: a reading of each of its car parks, in the feed's order. */
export interface Observation {
  /** The feed's own time, ISO 8601 UTC with milliseconds. */
  readonly timestamp: string
  readonly entries: readonly LiveEntry[]
}

/** One car park's count at one time, as history keeps it. What a source does not tell is null. */
export interface Reading {
  /** The feed's own time, milliseconds since 1970 UTC. */
  readonly at: number
  /** Free spaces. */
  readonly spaces: number
  readonly open: boolean | null
  /** The feed's own word. */
  readonly status: string | null
}

/** A reading with the car park that it is of. */
export interface HistoricReading extends Reading {
  readonly code: string
  readonly name: string
}

/** The readings of one car park between `from` and as much later as asked, summed up; only where there are some. */
export interface ReadingSummary {
  readonly code: string
  /** Milliseconds since 1970 UTC. */
  readonly from: number
  readonly min: number
  readonly max: number
  /** Of the free spaces of all its readings, for means. */
  readonly sum: number
  readonly count: number
  /** Free spaces of the latest reading. */
  readonly last: number
}

/** Which readings are meant: those of one car park or all, from `from` until before `to`, milliseconds since 1970 UTC. */
export interface ReadingRange {
  readonly from: number
  readonly to: number
  /** Upper and lower case are the same. */
  readonly code?: string
}

/** What is kept of one car park. Times are milliseconds since 1970 UTC. */
export interface KeptHistory {
  readonly code: string
  /** Its latest name. */
  readonly name: string
  readonly first: number
  readonly last: number
}

/**
 * Where releases and readings are kept. One implementation for each engine; all pass the same suite
 * (`store.parity.test.ts`). Nothing outside `store/` knows SQL.
 */
export interface Store {
  /** So many questions about tables may usefully be under way at once. */
  readonly questionsAtOnce: number
  /** What of the store cannot be reached now, though the rest may do without it; empty where all is well. */
  troubles(): readonly StoreTrouble[]
  /** A cheap number that differs whenever any dataset's current release does. */
  revision(): Promise<number>
  /** All releases of a dataset, newest first. */
  releases(dataset: string): Promise<Release[]>
  /** The current release of a dataset. */
  current(dataset: string): Promise<Release | undefined>
  /** Opens a release for reading. Throws {@link DamagedReleaseError} if its bytes are not those that were published. */
  open(release: Release, layout: Layout): Promise<OpenRelease>
  /**
   * Starts a release aside. One writer at a time: waits for another import up to `waitMs` (calling `onWait` once as it
   * starts to wait), then throws {@link StoreBusyError}. The lock lasts until publish or discard, or the process's end.
   */
  stage(dataset: string, layout: Layout, options?: { waitMs?: number; onWait?: () => void }): Promise<Staging>
  /** Makes an existing release current. Throws {@link UnknownReleaseError}, {@link DamagedReleaseError} or {@link StoreBusyError}. */
  makeCurrent(dataset: string, number: number): Promise<Release>
  /** When each of these ids was first seen, for those that were. */
  firstSeen(dataset: string, ids: readonly string[]): Promise<Map<string, string>>
  /** Keeps an observation. The same timestamp again replaces nothing. */
  saveObservation(observation: Observation): Promise<void>
  /** The observation with the latest timestamp. */
  latestObservation(): Promise<Observation | undefined>
  /** Keeps readings of the past, all or none; one of the same car park and time replaces nothing. Gives how many were new. */
  saveHistory(readings: Iterable<HistoricReading>): Promise<number>
  /** A cheap number that differs whenever history was saved by {@link saveHistory}. */
  historyRevision(): Promise<number>
  /** The car parks that have readings, by code. */
  keptHistory(): Promise<KeptHistory[]>
  /** Readings in the order of time, and at one time in the feed's order. */
  readings(range: ReadingRange): Promise<HistoricReading[]>
  /** Summaries of readings by quarters of an hour or hours of UTC, in the order of time and code. */
  summaries(range: ReadingRange, width: 'quarter' | 'hour'): Promise<ReadingSummary[]>
  /** Drops readings from before a time (milliseconds since 1970 UTC); gives how many. */
  dropHistory(before: number): Promise<number>
  /** What those who share the store tell each other; absent where the engine is for one. */
  readonly instances?: Instances
  /** Removes what an import that was killed left behind, unless one is under way; gives the number of files removed. */
  sweep(): Promise<number>
  close(): Promise<void>
}

/** A part of a store that cannot be reached. */
export interface StoreTrouble {
  /** What everything is written to, or what releases are read from first. */
  readonly part: 'primary' | 'read host'
  /** ISO 8601 UTC. */
  readonly since: string
  /** For the operator: names the host. */
  readonly detail: string
}

/** The bytes of a release are not those that were published. */
export class DamagedReleaseError extends Error {
  override name = 'DamagedReleaseError'
}

/** Another process is writing a release. */
export class StoreBusyError extends Error {
  override name = 'StoreBusyError'
}

/** No release of that number is kept. */
export class UnknownReleaseError extends Error {
  override name = 'UnknownReleaseError'
}

/** The store cannot be opened or written: its message says what is wrong and what to do. */
export class StoreUnusableError extends Error {
  override name = 'StoreUnusableError'
}

/** There is no store at the address. */
export class NoStoreError extends Error {
  override name = 'NoStoreError'
}
