import { resolve } from 'node:path'
import { afterScheme, engineOf, refuseReadUrl } from './address.ts'
import { openSqliteStore } from './sqlite/sqlite-store.ts'
import type { Store } from './store.ts'

export interface StoreOptions {
  /** Throws {@link NoStoreError} instead of creating a store. */
  readonly mustExist?: boolean | undefined
  /** Returns the store even if its server is unavailable now; operations fail until it is available. */
  readonly patient?: boolean | undefined
  /** The address of read hosts, replicas from which releases are read. */
  readonly readUrl?: string | undefined
}

/** The engines, by the scheme of their addresses; each gets what follows the colon. */
const ENGINES: Readonly<Record<string, (address: string, options: StoreOptions) => Promise<Store>>> = {
  async sqlite(folder, { mustExist, readUrl }) {
    refuseReadUrl(readUrl)
    return openSqliteStore(resolve(folder), { mustExist })
  },
  postgres: openPostgres,
  postgresql: openPostgres,
}

/** Loaded only when used. */
async function openPostgres(address: string, options: StoreOptions): Promise<Store> {
  const { openPostgresStore } = await import('./postgres/postgres-store.ts')
  const { mustExist, patient, readUrl } = options
  return openPostgresStore(address, { mustExist, patient, readFrom: readUrl && afterScheme(readUrl) })
}

/**
 * Opens the store at an address, creating it unless `mustExist`: `sqlite:` and a folder, relative to the working
 * directory, or `postgres://user:password@host/database`. Throws {@link NoStoreError}, and {@link StoreUnusableError}
 * with the cause and the remedy.
 */
export async function openStore(databaseUrl: string, options: StoreOptions = {}): Promise<Store> {
  const { open, address } = engineOf(ENGINES, databaseUrl)
  return open(address, options)
}
