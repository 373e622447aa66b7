import { stat } from 'node:fs/promises'
import type { ReadRegistry, Registry } from '../registry/tables.ts'
import { registryPath } from './paths.ts'
import { openFinishedRegistry } from './registry.ts'

/** The registry of a folder in which this process may not write. */
export interface ReadOnlyRegistry {
  readonly read: ReadRegistry
  close(): Promise<void>
}

/** How often a query is repeated because another process has changed the registry meanwhile. */
const REPEATS = 3

/**
 * Opens the registry without the locks that need files of their own. Another process may write to it: the registry is
 * opened again once its file has changed, and a query during the change is repeated. Throws {@link StoreUnusableError}.
 */
export async function openReadOnlyRegistry(folder: string): Promise<ReadOnlyRegistry> {
  const path = registryPath(folder)
  let stamp = await stampOf(path)
  let registry: Registry = await openFinishedRegistry(folder)
  /** Queries wait for each other, so that none loses its connection. */
  let last: Promise<unknown> = Promise.resolve()

  async function isCurrent(): Promise<boolean> {
    return (await stampOf(path)) === stamp
  }
  async function reopen(): Promise<void> {
    const next = await stampOf(path)
    const opened = await openFinishedRegistry(folder)
    await registry.destroy()
    registry = opened
    stamp = next
  }
  async function run<T>(query: (registry: Registry) => Promise<T>): Promise<T> {
    for (let repeat = 0; ; repeat++) {
      if (!(await isCurrent())) await reopen()
      const answer = await query(registry).then(
        value => ({ value }),
        (error: unknown) => ({ error }),
      )
      if (repeat < REPEATS && !(await isCurrent())) continue
      if ('error' in answer) throw answer.error
      return answer.value
    }
  }

  return {
    read(query) {
      const answer = last.then(() => run(query))
      last = answer.catch(() => undefined)
      return answer
    },
    async close() {
      await last
      await registry.destroy()
    },
  }
}

/** Differs once the file or its log has changed. */
async function stampOf(path: string): Promise<string> {
  const stats = await Promise.all([path, `${path}-wal`].map(file => stat(file).catch(() => undefined)))
  return stats.map(found => found && [found.ino, found.size, found.mtimeMs].join()).join(' ')
}
