import type { ColumnScan } from './column-scan.ts'
import type { TableLayout } from './layout.ts'
import type { Release, StageOptions, Store } from './store.ts'
import type { StoredDataset } from './transfer/dump.ts'
import type { LoadTarget } from './transfer/load.ts'
import type { StoreMoment } from './transfer/store-dump.ts'

/** A kind of database that stores can be in. */
export interface Engine {
  readonly schemes: readonly string[]
  /** The store at what follows the scheme of an address. */
  at(address: string): StoreLocation
}

/**
 * A store that is not open yet. Methods load their code when they are called: a process uses one engine, and a worker
 * thread little of it. They throw {@link StoreUnusableError} with the cause and the remedy.
 */
export interface StoreLocation {
  /** Opens the store, creating it unless `mustExist`. Throws {@link NoStoreError}. */
  open(options?: StoreOptions): Promise<Store>
  /**
   * Migrates the schema, creating the store if there is none; safe to run from several processes at once. Resolves to
   * the versions.
   */
  migrate(): Promise<Migrated>
  /**
   * Opens the column scan of a release that the caller has open, and thus verified, for another thread: this loads
   * little code and verifies nothing. Throws {@link NoStoreError} and {@link DamagedReleaseError}.
   */
  openColumnScan(release: Release, layout: TableLayout, readUrl?: string | undefined): Promise<OpenColumnScan>
  /** Opens the store as it is at this moment, to carry all of it elsewhere. Throws {@link NoStoreError}. */
  openMoment(datasets: readonly StoredDataset[]): Promise<StoreMoment>
  /** Opens the store to fill it, creating it if there is none. Throws {@link StoreBusyError}. */
  openLoadTarget(options: StageOptions): Promise<LoadTarget>
  /** Checks each host that releases are read from. */
  checkReadHosts(readUrl: string): Promise<ReadHost[]>
}

export interface StoreOptions {
  /** Throws {@link NoStoreError} instead of creating a store. */
  readonly mustExist?: boolean | undefined
  /**
   * Migrates the schema of an older version, which has no way back, and calls this; also for a new store. Without it, a
   * store of an older version throws {@link OldStoreError} and stays as it is.
   */
  readonly onMigrated?: ((migrated: Migrated) => void) | undefined
  /** Removes on closing what opening made on this machine, unless something was written meanwhile. */
  readonly discardUnused?: boolean | undefined
  /** Returns the store even if its server is unavailable now; operations fail until it is available. */
  readonly patient?: boolean | undefined
  /** The address of read hosts, replicas from which releases are read. */
  readonly readUrl?: string | undefined
}

/** The versions of a store's schema before and after; 0 if there was none. */
export interface Migrated {
  readonly from: number
  readonly to: number
}

/** A column scan with its own connection or file. */
export interface OpenColumnScan extends ColumnScan {
  close(): Promise<void>
}

/** One of the hosts that releases are read from: how far it lags, or why it is unavailable. */
export type ReadHost = { readonly host: string } & (
  | {
      readonly isStandby: boolean
      /** How much of the primary's log it has not applied yet; undefined if unknown. */
      readonly bytesBehind: number | undefined
    }
  | { readonly failure: string }
)
