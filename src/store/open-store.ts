import { resolve } from 'node:path'
import { afterScheme, engineOf, refuseReadUrl } from './address.ts'
import { openSqliteStore } from './sqlite/sqlite-store.ts'
import type { Store } from './store.ts'

export interface StoreOptions {
  /** Where there is no store, none is made. */
  readonly mustExist?: boolean | undefined
  /** A server that cannot be reached now is waited for: the store is given at once, and fails until it is there. */
  readonly patient?: boolean | undefined
  /** The address of servers that hold the same, sooner or later, from which releases are read. */
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

/** Loaded only where it is used. */
async function openPostgres(address: string, options: StoreOptions): Promise<Store> {
  const { openPostgresStore } = await import('./postgres/postgres-store.ts')
  const { mustExist, patient, readUrl } = options
  return openPostgresStore(address, { mustExist, patient, readFrom: readUrl && afterScheme(readUrl) })
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
