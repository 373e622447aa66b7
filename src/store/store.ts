import type { Coordination, Leases } from './coordination.ts'
import type { ReadingStore } from './reading-store.ts'
import type { SourceState } from './registry/columns.ts'
import type { ReleaseStore } from './release-store.ts'

export type * from './reading-store.ts'
export type * from './release-store.ts'
export type { SourceState }

/**
 * Releases, readings, the states of sources, incidents, and the coordination of the instances that share them. Every
 * engine implements this interface and passes the same tests (`*.parity.test.ts`). Nothing outside `store/` knows SQL.
 */
export interface Store {
  readonly releases: ReleaseStore
  readonly readings: ReadingStore
  readonly sources: SourceStates
  readonly incidents: Incidents
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
  override name = 'StoreError'
}

/** The bytes of a release differ from the published bytes. */
export class DamagedReleaseError extends StoreError {
  override name = 'DamagedReleaseError'
}

/** Another process is writing a release. */
export class StoreBusyError extends StoreError {
  override name = 'StoreBusyError'
}

/** No stored release has that number. */
export class UnknownReleaseError extends StoreError {
  override name = 'UnknownReleaseError'
}

/** The store cannot be opened or written. */
export class StoreUnusableError extends StoreError {
  override name = 'StoreUnusableError'
}

/** The store was made by an earlier version of the service: only `pds migrate` takes it over. */
export class OldStoreError extends StoreUnusableError {
  override name = 'OldStoreError'
  constructor(shown: string) {
    super(`${shown} was made by an earlier version of the service: run \`pds migrate\`, which takes it over`)
  }
}

/** A backup file is incomplete, or no backup file. The message names the file and the place. */
export class DamagedBackupError extends StoreError {
  override name = 'DamagedBackupError'
}

/** There is no store at the address. */
export class NoStoreError extends StoreError {
  override name = 'NoStoreError'
}
