import { createStore } from './create-store.ts'
import type { Engine, StoreLocation, StoreOptions } from './engine.ts'
import { postgres } from './postgres/engine.ts'
import { sqlite } from './sqlite/engine.ts'
import { type Store, StoreUnusableError } from './store.ts'

const ENGINES = new Map<string, Engine>([
  ['sqlite', sqlite],
  ['postgres', postgres],
  ['postgresql', postgres],
])

/** Opens the store at an address, as {@link storeAt} and its `open` do. */
export async function openStore(databaseUrl: string, options: StoreOptions = {}): Promise<Store> {
  return createStore(await storeAt(databaseUrl).open(options))
}

/**
 * The store at an address: `sqlite:` and a folder, relative to the working directory, or
 * `postgres://user:password@host/database`. Throws {@link StoreUnusableError} for another scheme.
 */
export function storeAt(databaseUrl: string): StoreLocation {
  const [, scheme = '', address = ''] = /^([a-z]+):(.*)$/s.exec(databaseUrl) ?? []
  const engine = ENGINES.get(scheme)
  // The message shows only the scheme: an address may contain a password.
  if (engine === undefined || address === '')
    throw new StoreUnusableError(
      'a store\'s address is "sqlite:" and the path of a folder, such as sqlite:./data, or ' +
        `postgres://user:password@host/database${scheme && `; "${scheme}:" is neither`}`,
    )
  return engine(address)
}
