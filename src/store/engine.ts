import type { Config } from '../config.ts'
import type { StageOptions, Store, StoredDataset } from './store.ts'
import type { LoadTarget } from './transfer/fill.ts'
import type { StoreMoment } from './transfer/store-lines.ts'

/** A kind of database that stores can be in: gives the store at what follows the scheme of an address. */
export type Engine = (address: string) => StoreLocation

/**
 * A store that is not open yet. Methods load their code when they are called: a process uses one engine, and a worker
 * thread little of it. They throw {@link StoreUnusableError} with the cause and the remedy.
 */
export interface StoreLocation {
  /** Opens the store, creating it unless `mustExist`. Throws {@link NoStoreError}. */
  open(options?: StoreOptions): Promise<Store>
  /**
   * Creates a missing store, or takes over the store of an earlier version. That version can still open the store, until {@link
   * finishMigration}. All or nothing, from several processes at once as well.
   */
  migrate(datasets: readonly StoredDataset[], options: MigrateOptions): Promise<Migrated>
  /**
   * Removes what only an earlier version of the service needs; resolves to whether there was anything. Throws {@link NoStoreError},
   * and {@link OldStoreError} if anything is still to be taken over.
   */
  finishMigration(datasets: readonly StoredDataset[]): Promise<boolean>
  /** Opens the store as it is at this moment, to carry all of it elsewhere. Throws {@link NoStoreError}. */
  openMoment(datasets: readonly StoredDataset[]): Promise<StoreMoment>
  /** Opens the store to fill it, and creates a missing one. Throws {@link StoreBusyError}. */
  openLoadTarget(options: StageOptions & Pick<StoreOptions, 'tables'>): Promise<LoadTarget>
  /** Checks the server that releases are read from. */
  checkReader(readUrl: string): Promise<Reader>
}

export interface StoreOptions {
  /** Throws {@link NoStoreError} instead of creating a store. */
  readonly mustExist?: boolean | undefined
  /** How tables are stored when a release is written; {@link DEFAULT_TABLES} if absent. */
  readonly tables?: TableOptions | undefined
  /** Removes on closing what opening made on this machine, unless something was written meanwhile. */
  readonly discardUnused?: boolean | undefined
  /** Returns the store even if its server is unavailable now; operations fail until it is available. */
  readonly patient?: boolean | undefined
  /** The address of a reader, which leads to servers that follow the one that is written to. */
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

export interface MigrateOptions extends Pick<StageOptions, 'waitMs' | 'onWait'> {
  readonly tables?: TableOptions | undefined
  /** Called with the name of each step, and with each release before it is taken over. */
  readonly onPhase?: ((phase: string) => void) | undefined
}

/** What a migration did. */
export interface Migrated {
  /** The versions of the schema before and after; 0 for a new store. */
  readonly from: number
  readonly to: number
  /** The releases that were taken over, and why others were not. */
  readonly releases: readonly {
    readonly dataset: string
    readonly number: number
    readonly failure?: string
  }[]
}

/** The server that releases are read from: how far it lags, or why it is unavailable. */
export type Reader = { readonly shown: string } & (
  | {
      readonly isStandby: boolean
      /** How much of the primary's log it has not applied yet; undefined if unknown. */
      readonly bytesBehind: number | undefined
    }
  | { readonly failure: string }
)
