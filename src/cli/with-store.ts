import { openStore } from '../store/open-store.ts'
import type { Store } from '../store/store.ts'
import type { Cli } from './cli.ts'

/** Does something with the configured store, making it if need be, and closes it whatever happens. */
export async function withStore<T>(cli: Cli, use: (store: Store) => Promise<T>): Promise<T> {
  return using(await openStore(cli.config().DATABASE_URL), use)
}

/** Does something with the configured store, which must be there: whoever only looks is in the wrong folder otherwise. */
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
