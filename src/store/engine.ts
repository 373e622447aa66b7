import type { Config } from '../config.ts'
import type { Layout } from '../query/layout.ts'
import type { Reader } from './postgres/connect/session.ts'
import type { KeptRelease } from './registry/releases.ts'
import type { InsertRows, ReadRegistry, Registry, WriteRegistry } from './registry/tables.ts'
import type { ReleaseWriter } from './registry/writer.ts'
import type { OpenRelease, StageOptions, Store } from './store.ts'

export type { Reader }

/** The part of an open store that differs between engines. Stores, backups and restores are built on it. */
export interface StoreEngine
  extends Omit<Store, 'releases' | 'readings' | 'sources' | 'incidents' | 'journal'> {
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
  readonly insert: InsertRows
  /** A number that changes with every change of a current release. */
  revision(): Promise<number>
  openRelease(kept: KeptRelease, layout: Layout, isBeside?: boolean): Promise<OpenRelease>
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
  /** Returns the store even if its server is unavailable now; operations fail until it is available. */
  readonly patient?: boolean | undefined
  /** Which releases of a dataset stay when another is published; five if absent. */
  readonly keep?: string | undefined
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

/** How a configuration has releases stored. */
export const storeOptions = (
  config: Pick<Config, 'TABLE_ENGINE' | 'TABLE_PRERENDER_MB' | 'KEEP_RELEASES'>,
): Pick<StoreOptions, 'tables' | 'keep'> => ({ tables: tableOptions(config), keep: config.KEEP_RELEASES })

/** How a configuration has tables stored. */
export const tableOptions = ({
  TABLE_ENGINE,
  TABLE_PRERENDER_MB,
}: Pick<Config, 'TABLE_ENGINE' | 'TABLE_PRERENDER_MB'>): TableOptions => ({
  engine: TABLE_ENGINE,
  prerenderBytes: TABLE_PRERENDER_MB * 2 ** 20,
})

export const DEFAULT_TABLES: TableOptions = { engine: 'memory', prerenderBytes: 2 ** 30 }
