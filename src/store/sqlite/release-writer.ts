import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { TableBuildOptions } from '../../columnar/build/build-table.ts'
import type { Layout } from '../../query/layout.ts'
import { forgetRetired, type KeptRelease } from '../registry/releases.ts'
import type { Registry } from '../registry/tables.ts'
import type { ReleaseWriter } from '../registry/writer.ts'
import type { StageOptions } from '../release-store.ts'
import { buildFile } from '../releases/file-builder.ts'
import { digestsOfFile } from '../releases/release-file.ts'
import { toStoreError } from './faults.ts'
import { readFileName, releasesFolder } from './folder.ts'
import { takeWriteLock } from './locks.ts'
import { writing } from './registry.ts'
import { filesOf, openFile } from './release-file.ts'

/** Acquires the lock on writing releases in a folder. Throws {@link StoreBusyError} on timeout. */
export async function openReleaseWriter(
  folder: string,
  registry: Registry,
  options: StageOptions,
  building: TableBuildOptions,
): Promise<ReleaseWriter> {
  const unlock = await takeWriteLock(folder, options)
  const write = writing(registry)
  return {
    registry,
    write,
    async fill(work) {
      // Empties the log first, so that its space is freed if the disk fills up during `work`.
      await sql`pragma file.wal_checkpoint(truncate)`.execute(registry)
      return write(work)
    },
    startRelease: async (dataset, layout) => buildFile(layout, building, filesOf(folder, dataset)),
    digests: (kept, layout) => digestsIn(folder, kept, layout),
    removeLeftovers: () => removeLeftovers(folder, registry),
    toStoreError: error => toStoreError(error, folder),
    unlock,
  }
}

async function* digestsIn(folder: string, kept: KeptRelease, layout: Layout): AsyncGenerator<Uint8Array> {
  const { file, close } = await openFile(folder, kept)
  try {
    yield* digestsOfFile(kept, layout, file)
  } finally {
    await close()
  }
}

/**
 * Removes temporary files, and the files of releases that were pruned long enough ago. Other unregistered files stay: the next
 * release overwrites the file of an interrupted publication. After the registry was lost or restored from a backup, they may be
 * the only copies.
 */
async function removeLeftovers(folder: string, registry: Registry): Promise<number> {
  await writing(registry)(forgetRetired)
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
