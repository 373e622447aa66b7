import { openStore } from '../store/open-store.ts'
import type { Store } from '../store/store.ts'
import type { Cli } from './cli.ts'

/** Opens the configured store, creating it if necessary, and closes it after use. */
export async function withStore<T>(cli: Cli, use: (store: Store) => Promise<T>): Promise<T> {
  return using(await openStore(cli.config().DATABASE_URL), use)
}

/** Opens the configured store and closes it after use. It must exist: else a reading command runs in the wrong folder. */
export async function withExistingStore<T>(cli: Cli, use: (store: Store) => Promise<T>): Promise<T> {
  return using(await openStore(cli.config().DATABASE_URL, { mustExist: true }), use)
}

async function using<T>(store: Store, use: (store: Store) => Promise<T>): Promise<T> {
  try {
    return await use(store)
  } finally {
    await store.close()
  }
}
