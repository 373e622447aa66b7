import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import type { Layout } from '../layout.ts'
import { openReleaseOver } from '../open-release.ts'
import { createReadingStore } from '../readings/reading-store.ts'
import { createReleaseStore } from '../registry/release-store.ts'
import type { KeptRelease } from '../registry/releases.ts'
import { readRevision } from '../registry/revision.ts'
import type { ReadRegistry } from '../registry/tables.ts'
import { NoStoreError, type OpenRelease, type Store } from '../store.ts'
import { kyselyOver } from './dialect.ts'
import { openDatabase } from './driver.ts'
import { toReadError, toStoreError } from './faults.ts'
import { registryPath, releasePath, releasesFolder } from './paths.ts'
import { columnScan } from './read/column-scan.ts'
import { readNumbers } from './read/number-rows.ts'
import { tableEngine } from './read/table-engine.ts'
import { openRegistry, writing } from './registry.ts'
import { verifyFile } from './release-file.ts'
import { withHistoryWriter } from './write/history.ts'
import { openReleaseWriter } from './write/release-writer.ts'

/**
 * Opens the store in a folder, creating it or migrating its registry if necessary. Throws {@link StoreUnusableError}
 * and {@link NoStoreError}.
 */
export async function openSqliteStore(
  folder: string,
  { mustExist = false }: { mustExist?: boolean | undefined } = {},
): Promise<Store> {
  if (mustExist && !existsSync(registryPath(folder)))
    throw new NoStoreError(
      `there is no store in ${folder}: \`pds import <dataset> <file>\` or \`pds demo\` makes one`,
    )
  await mkdir(releasesFolder(folder), { recursive: true }).catch((error: unknown) => {
    throw toStoreError(error, folder)
  })
  const registry = await openRegistry(folder)
  const read: ReadRegistry = query => query(registry)
  return {
    // Queries run in the calling thread.
    maxConcurrency: 1,
    degraded: () => [],
    releases: createReleaseStore({
      read,
      revision: () => readRevision(registry, 'revision'),
      open: (kept, layout) => openRelease(folder, kept, layout),
      lock: options => openReleaseWriter(folder, registry, options),
    }),
    readings: createReadingStore({
      read,
      write: writing(registry),
      readNumbers,
      withHistoryWriter: work => withHistoryWriter(registry, work),
    }),
    close: () => registry.destroy(),
  }
}

/** Opens a release file for reading, once its bytes are verified. */
async function openRelease(folder: string, kept: KeptRelease, layout: Layout): Promise<OpenRelease> {
  const path = releasePath(folder, kept.release)
  await verifyFile(path, kept)
  const file = openDatabase(path, { finished: true })
  const database = await kyselyOver<unknown>(file, error => toReadError(error, path))
  return openReleaseOver(tableEngine(database), kept.release, layout, {
    scan: table => columnScan(file, path, table),
    close: () => database.destroy(),
  })
}
