import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { readFileName, releasesFolder } from '../paths.ts'
import type { Registry } from '../registry.ts'
import type { ReleaseTables } from '../registry-tables.ts'

/**
 * Removes temporary files, and pruned releases whose file could not be removed then. The caller holds the write lock,
 * so no import is running. Other unregistered releases stay: one whose publication was interrupted is overwritten by
 * the next, and after the registry was lost or restored from a backup they may be all that is left.
 */
export async function removeLeftovers(folder: string, registry: Registry): Promise<number> {
  const kept = await registry
    .withTables<ReleaseTables>()
    .selectFrom('releases')
    .select(({ fn }) => ['dataset', fn.min('number').as('oldest')])
    .groupBy('dataset')
    .execute()
  const oldest = new Map(kept.map(row => [row.dataset, Number(row.oldest)]))

  let removed = 0
  for (const entry of await readdir(releasesFolder(folder), { withFileTypes: true, recursive: true })) {
    const number = entry.isFile() ? readFileName(entry.name) : null
    if (number === null) continue
    const dataset = entry.parentPath.slice(releasesFolder(folder).length + 1)
    if (number !== undefined && number >= (oldest.get(dataset) ?? 0)) continue
    await rm(join(entry.parentPath, entry.name), { force: true })
    removed++
  }
  return removed
}
