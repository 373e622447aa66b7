import type { Coordination, Leases } from './coordination.ts'
import type { ReadingStore } from './reading-store.ts'
import type { JournalEntry, SourceState } from './registry/columns.ts'
import type { NewEntry, ReleaseStore } from './release-store.ts'

export type * from './reading-store.ts'
export type * from './release-store.ts'
export type { JournalEntry, SourceState }

/**
 * Releases, readings, the states of sources, incidents, and the coordination of the instances that share them. Every
 * engine implements this interface and passes the same tests (`*.parity.test.ts`). Nothing outside `store/` knows SQL.
 */
export interface Store {
  readonly releases: ReleaseStore
  readonly readings: ReadingStore
  readonly sources: SourceStates
  readonly incidents: Incidents
  readonly journal: Journal
  /** Absent where this process may not write. */
  readonly leases?: Leases
  /** Absent if instances on other machines cannot share the store. */
  readonly coordination?: Coordination
  /**
   * Calls back for each repetition of a transaction that conflicted with another one. Absent if writers wait for each
   * other.
   */
  onConflict?(listener: () => void): void
  /** How many table queries are worth running at once. */
  readonly maxConcurrency: number
  /** The unavailable components; empty if all is well. */
  degraded(): readonly DegradedComponent[]
  /** The disk with the store. Absent if the store may be on another machine. */
  disk?(): Promise<Disk>
  /** Checks the registry: every page of a file, or that the server answers. Throws {@link StoreUnusableError}. */
  verify(): Promise<void>
  close(): Promise<void>
}

/** The states of followed sources. They survive restarts and are shared among instances. */
export interface SourceStates {
  list(): Promise<SourceState[]>
  /** Replaces the state of the dataset's source. */
  save(state: SourceState): Promise<void>
}

/** A continuing incident that the operator knows of. */
interface Incident {
  readonly key: string
  /** The type of the notification that was sent. */
  readonly type: string
  readonly data: object
}

/** The incidents that the operator knows of. They survive restarts and are shared among instances. */
export interface Incidents {
  list(): Promise<Incident[]>
  /** Adds an incident, or replaces the one of its key. */
  save(incident: Incident): Promise<void>
  remove(key: string): Promise<void>
}

/** How many records of a release have each value, by key. Records without a value have the empty text. */
export type KeptCounts = Readonly<Record<string, Readonly<Record<string, number>>>>

/** The counts of the release that was current from a time on (ISO 8601 UTC). */
export interface CountsThen {
  readonly at: string
  readonly release: number
  readonly counts: KeptCounts
}

/** The history of the releases of all datasets. Publishing and rolling back add their entries in their own transactions. */
export interface Journal {
  /** Adds an entry, or counts it with the one of the same outcome. */
  add(entry: NewEntry): Promise<void>
  /** The entries of a dataset, newest first. */
  list(dataset: string): Promise<JournalEntry[]>
  /** The report of an entry. */
  report(dataset: string, number: number): Promise<object | undefined>
  /** The counts of each release at each time that it became current, oldest first, where there are any. */
  counts(dataset: string): Promise<CountsThen[]>
}

/** The disk of a store's folder. */
export interface Disk {
  readonly folder: string
  /** The space that this process may still use. */
  readonly freeBytes: number
  readonly totalBytes: number
}

/** An unavailable server of a store. */
export interface DegradedComponent {
  /** The primary takes all writes; releases are read from the reader first. */
  readonly part: 'primary' | 'reader'
  /** ISO 8601 UTC. */
  readonly since: string
  /** For the operator: names the host. */
  readonly detail: string
}

/** A store cannot do its task: the message gives the cause and the remedy. */
export class StoreError extends Error {
  override name = this.constructor.name
}

/** The bytes of a release differ from the published bytes. */
export class DamagedReleaseError extends StoreError {}

/** Another process is writing a release. */
export class StoreBusyError extends StoreError {}

/** No stored release has that number. */
export class UnknownReleaseError extends StoreError {}

/** The store cannot be opened or written. */
export class StoreUnusableError extends StoreError {}

/** The store was made by an earlier version of the service, and this process cannot bring it to this one. */
export class OldStoreError extends StoreUnusableError {}

/** A backup file is incomplete, or no backup file. The message names the file and the place. */
export class DamagedBackupError extends StoreError {}

/** There is no store at the address. */
export class NoStoreError extends StoreError {}
