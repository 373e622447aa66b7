import { stat } from 'node:fs/promises'
import type { ReadRegistry } from '../../registry/tables.ts'
import { registryPath } from '../folder.ts'
import { openFinishedRegistry } from '../registry.ts'

/** How often a query is repeated because another process has changed the registry meanwhile. */
const REPEATS = 3

/**
 * Reads without the locks that need files of their own, although another process may write: each query opens the registry
 * anew, and a query during a change is repeated. Throws {@link StoreUnusableError}.
 */
export const readingUnlocked =
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
