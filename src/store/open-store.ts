import { resolve } from 'node:path'
import { engineOf } from './address.ts'
import { openSqliteStore } from './sqlite/sqlite-store.ts'
import type { Store } from './store.ts'

export interface StoreOptions {
  /** Where there is no store, none is made. */
  readonly mustExist?: boolean
}

/** The engines, by the scheme of their addresses; each gets what follows the colon. */
const ENGINES: Readonly<Record<string, (address: string, options: StoreOptions) => Promise<Store>>> = {
  sqlite: (folder, options) => openSqliteStore(resolve(folder), options),
  postgres: openPostgres,
  postgresql: openPostgres,
}

/** Loaded only where it is used. */
async function openPostgres(address: string, options: StoreOptions): Promise<Store> {
  const { openPostgresStore } = await import('./postgres/postgres-store.ts')
  return openPostgresStore(address, options)
}

/**
 * Opens the store that an address names, making it if there is none and it need not exist: `sqlite:` and a folder,
 * relative to the working directory, or `postgres://user:password@host/database`. Throws {@link StoreUnusableError}
 * with what is wrong and what to do, and {@link NoStoreError}.
 */
export async function openStore(databaseUrl: string, options: StoreOptions = {}): Promise<Store> {
  const { open, address } = engineOf(ENGINES, databaseUrl)
  return open(address, options)
}
