import { resolve } from 'node:path'
import { openSqliteStore } from './sqlite/sqlite-store.ts'
import { type Store, StoreUnusableError } from './store.ts'

export interface StoreOptions {
  /** Where there is no store, none is made. */
  readonly mustExist?: boolean
}

/** The engines, by the scheme of their addresses; each gets what follows the colon. */
const ENGINES: Readonly<Record<string, (address: string, options: StoreOptions) => Promise<Store>>> = {
  sqlite: (folder, options) => openSqliteStore(resolve(folder), options),
}

/**
 * Opens the store that an address names, making it if there is none and it need not exist: `sqlite:` and a folder,
 * relative to the working directory. Throws {@link StoreUnusableError} with what is wrong and what to do, and
 * {@link NoStoreError}.
 */
export async function openStore(databaseUrl: string, options: StoreOptions = {}): Promise<Store> {
  const [, scheme = '', address = ''] = /^([a-z]+):(.*)$/s.exec(databaseUrl) ?? []
  const open = Object.hasOwn(ENGINES, scheme) ? ENGINES[scheme] : undefined
  // Nothing but the scheme is shown: an address may hold a password.
  if (open === undefined || address === '')
    throw new StoreUnusableError(
      `a store's address is "sqlite:" and the path of a folder, such as sqlite:./data${scheme && `; "${scheme}:" is not that`}`,
    )
  return open(address, options)
}
