import type { Config } from '../config.ts'
import type { Layout } from '../query/layout.ts'
import type { ReadNumbers } from './readings/history-queries.ts'
import type { TableName } from './registry/columns.ts'
import type { KeptRelease } from './registry/releases.ts'
import type { ReadRegistry, Registry, Row, WriteRegistry } from './registry/tables.ts'
import type { ReleaseWriter } from './registry/writer.ts'
import type { OpenRelease, StageOptions, Store } from './store.ts'

/** The part of an open store that differs between engines. Stores, backups and restores are built on it. */
export interface StoreEngine extends Omit<Store, 'releases' | 'readings' | 'sources' | 'incidents'> {
  /** For messages. */
  readonly shown: string
  /** Whether this process may only read. Other processes then remove old content. */
  readonly isReadOnly?: boolean
  readonly read: ReadRegistry
  readonly write: WriteRegistry
  /** Like `write`, for one writer of readings at a time. */
  readonly writeReadings: WriteRegistry
  /** Like `writeReadings`, for work that may take long, such as importing and removing history. */
  readonly writeHistory: WriteRegistry
  readonly readNumbers: ReadNumbers
  /** Inserts rows, including keys that databases usually assign. Skips rows with a stored key. Resolves to the number inserted. */
  insert(transaction: Registry, table: TableName, rows: readonly Row[]): Promise<number>
  /** A number that changes with every change of a current release. */
  revision(): Promise<number>
  openRelease(kept: KeptRelease, layout: Layout): Promise<OpenRelease>
  /** Throws {@link DamagedReleaseError} unless the content is as published. */
  verifyRelease(kept: KeptRelease): Promise<void>
  /** Acquires the lock on writing releases. Throws {@link StoreBusyError} on timeout. */
  lock(options: StageOptions): Promise<ReleaseWriter>
  /** Opens the registry as it is at this moment; later writes stay invisible. */
  openMoment(): Promise<RegistryMoment>
}

/** The registry of a store as it was at one moment. */
export interface RegistryMoment {
  readonly registry: Registry
  /** The kind of database, and the version of its schema. */
  readonly engine: 'sqlite' | 'postgres'
  readonly schema: number
  end(): Promise<void>
}

export interface StoreOptions {
  /** Throws {@link NoStoreError} instead of creating a store. */
  readonly mustExist?: boolean | undefined
  /** How tables are stored when a release is written; {@link DEFAULT_TABLES} if absent. */
  readonly tables?: TableOptions | undefined
  /** On closing, removes what opening made on this machine, unless the store has content or another process has it open. */
  readonly discardUnused?: boolean | undefined
  /** Returns the store even if its server is unavailable now; operations fail until it is available. */
  readonly patient?: boolean | undefined
  /** The address of a reader: a server that follows the primary. */
  readonly readUrl?: string | undefined
}

/** How the tables of releases are stored. */
export interface TableOptions {
  /** `memory`: a file that is read whole into memory; `sql`: rows of the database, which it queries. */
  readonly engine: 'memory' | 'sql'
  /** The most memory, in bytes, for prerendered rows. */
  readonly prerenderBytes: number
}

/** How a configuration has tables stored. */
export const tableOptions = ({
  TABLE_ENGINE,
  TABLE_PRERENDER_MB,
}: Pick<Config, 'TABLE_ENGINE' | 'TABLE_PRERENDER_MB'>): TableOptions => ({
  engine: TABLE_ENGINE,
  prerenderBytes: TABLE_PRERENDER_MB * 2 ** 20,
})

export const DEFAULT_TABLES: TableOptions = { engine: 'memory', prerenderBytes: 2 ** 30 }

/** The server that releases are read from: how far it lags, or why it is unavailable. */
export type Reader = { readonly shown: string } & (
  | {
      readonly isStandby: boolean
      /** How much of the primary's log it has not applied yet; undefined if unknown. */
      readonly bytesBehind: number | undefined
    }
  | { readonly failure: string }
)
