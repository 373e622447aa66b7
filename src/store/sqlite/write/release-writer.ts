import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { forgetRetired } from '../../registry/releases.ts'
import type { Registry } from '../../registry/tables.ts'
import type { ReleaseWriter } from '../../registry/writer.ts'
import type { StageOptions } from '../../release-store.ts'
import { toStoreError } from '../faults.ts'
import { readFileName, releasePath, releasesFolder } from '../paths.ts'
import { writing } from '../registry.ts'
import { verifyFile } from '../release-file.ts'
import { startRelease } from './release-builder.ts'
import { takeWriteLock } from './write-lock.ts'

/** Acquires the lock on writing releases in a folder. Throws {@link StoreBusyError} on timeout. */
export async function openReleaseWriter(
  folder: string,
  registry: Registry,
  options: StageOptions,
): Promise<ReleaseWriter> {
  const unlock = await takeWriteLock(folder, options)
  return {
    registry,
    write: writing(registry),
    startRelease: (dataset, layout) => startRelease(folder, dataset, layout),
    verify: kept => verifyFile(releasePath(folder, kept.release), kept),
    removeLeftovers: () => removeLeftovers(folder, registry),
    toStoreError: error => toStoreError(error, folder),
    unlock,
  }
}

/**
 * Removes temporary files, and the files of pruned releases: an open one outlives its name. Other unregistered releases
 * stay: one whose publication was interrupted is overwritten by the next, and after the registry was lost or restored
 * from a backup they may be all that is left.
 */
async function removeLeftovers(folder: string, registry: Registry): Promise<number> {
  await writing(registry)(transaction => forgetRetired(transaction, Date.now()))
  const kept = await registry
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
