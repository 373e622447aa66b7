import type { Engine, Migrated, OpenColumnScan, ReadHost, StoreOptions } from './engine.ts'
import type { TableLayout } from './layout.ts'
import { postgres } from './postgres/engine.ts'
import { sqlite } from './sqlite/engine.ts'
import { type Release, type Store, StoreUnusableError } from './store.ts'

const ENGINES: readonly Engine[] = [sqlite, postgres]

/**
 * Opens the store at an address, creating it unless `mustExist`: `sqlite:` and a folder, relative to the working
 * directory, or `postgres://user:password@host/database`. Throws {@link NoStoreError}, and {@link StoreUnusableError}
 * with the cause and the remedy.
 */
export async function openStore(databaseUrl: string, options: StoreOptions = {}): Promise<Store> {
  const { engine, address } = engineOf(databaseUrl)
  return engine.open(address, options)
}

/**
 * Migrates the schema of a store, creating the store if there is none; safe to run from several processes at once.
 * Resolves to the versions if the engine reports them. Throws {@link StoreUnusableError}.
 */
export async function migrateStore(databaseUrl: string): Promise<Migrated | undefined> {
  const { engine, address } = engineOf(databaseUrl)
  return engine.migrate(address)
}

/**
 * Opens the column scan of a release that the caller has open, and thus verified, for another thread: this function
 * loads little code and verifies nothing. Throws {@link NoStoreError} and {@link DamagedReleaseError}.
 */
export async function openColumnScan(
  databaseUrl: string,
  release: Release,
  layout: TableLayout,
  readUrl?: string | undefined,
): Promise<OpenColumnScan> {
  const { engine, address } = engineOf(databaseUrl)
  return engine.openColumnScan(address, release, layout, readUrl)
}

/** Checks each host that releases of a store are read from. Throws {@link StoreUnusableError} for an invalid address. */
export async function checkReadHosts(databaseUrl: string, readUrl: string): Promise<ReadHost[]> {
  const { engine, address } = engineOf(databaseUrl)
  return engine.checkReadHosts(address, readUrl)
}

/** The engine of an address, and what follows the scheme. Throws {@link StoreUnusableError} for an unknown engine. */
function engineOf(databaseUrl: string): { engine: Engine; address: string } {
  const [, scheme = '', address = ''] = /^([a-z]+):(.*)$/s.exec(databaseUrl) ?? []
  const engine = ENGINES.find(({ schemes }) => schemes.includes(scheme))
  // The message shows only the scheme: an address may contain a password.
  if (engine === undefined || address === '')
    throw new StoreUnusableError(
      'a store\'s address is "sqlite:" and the path of a folder, such as sqlite:./data, or ' +
        `postgres://user:password@host/database${scheme && `; "${scheme}:" is neither`}`,
    )
  return { engine, address }
}
