import { stat } from 'node:fs/promises'
import type { ReadRegistry } from '../registry/tables.ts'
import type { Store, StoreUnusableError } from '../store.ts'
import { registryPath } from './paths.ts'
import { openFinishedRegistry } from './registry.ts'
import { storeOver } from './store-over.ts'

/**
 * Opens a store in a folder in which this process may not write, which `why` explains; every write throws that. Throws {@link
 * StoreUnusableError}.
 */
export async function openReadOnlyStore(folder: string, why: StoreUnusableError): Promise<Store> {
  const read = readingUnlocked(folder)
  await read(async () => {})
  const since = new Date().toISOString()
  const refuse = () => Promise.reject(why)
  const store = storeOver(folder, { read, write: refuse, withHistoryWriter: refuse, lock: refuse })
  return {
    ...store,
    degraded: () => [{ part: 'primary', since, detail: why.message }],
    // Nothing can be removed here, which is no fault.
    releases: { ...store.releases, sweep: async () => 0 },
    readings: { ...store.readings, dropHistory: async () => 0 },
    async close() {},
  }
}

/** How often a query is repeated because another process has changed the registry meanwhile. */
const REPEATS = 3

/**
 * Reads without the locks that need files of their own, although another process may write: each query opens the registry
 * anew, and a query during a change is repeated.
 */
const readingUnlocked =
  (folder: string): ReadRegistry =>
  async query => {
    for (let repeat = 0; ; repeat++) {
      const stamp = await stampOf(registryPath(folder))
      const answer = openFinishedRegistry(folder).then(registry =>
        query(registry).finally(() => registry.destroy()),
      )
      await answer.catch(() => undefined)
      if (repeat === REPEATS || (await stampOf(registryPath(folder))) === stamp) return answer
    }
  }

/** Differs once the file or its log has changed. */
async function stampOf(path: string): Promise<string> {
  const stats = await Promise.all([path, `${path}-wal`].map(file => stat(file).catch(() => undefined)))
  return stats.map(found => found && [found.ino, found.size, found.mtimeMs].join()).join(' ')
}
