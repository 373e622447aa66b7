import { openStore } from '../store/open-store.ts'
import type { Store } from '../store/store.ts'
import type { Cli } from './cli.ts'

/** Does something with the configured store, and closes it whatever happens. */
export async function withStore<T>(cli: Cli, use: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore(cli.config().DATABASE_URL)
  try {
    return await use(store)
  } finally {
    await store.close()
  }
}
