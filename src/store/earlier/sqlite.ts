import { createHash } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { sql } from 'kysely'
import { DEFAULT_TABLES, type TableOptions } from '../engine.ts'
import { RELEASE_FILES } from '../registry/schema.ts'
import { buildFile } from '../releases/file-builder.ts'
import { kyselyOver } from '../sqlite/dialect.ts'
import { openDatabase } from '../sqlite/driver.ts'
import { toStoreError } from '../sqlite/faults.ts'
import { datasetFolder, registryPath, releasesFolder } from '../sqlite/folder.ts'
import { takeWriteLock } from '../sqlite/locks.ts'
import { MIGRATIONS, openAsItIs, openRegistry, tablesOf, version, writing } from '../sqlite/registry.ts'
import { filesOf } from '../sqlite/release-file.ts'
import { openSqliteStore, tablesIn } from '../sqlite/sqlite-store.ts'
import { DamagedReleaseError, NoStoreError, type StoredDataset, StoreUnusableError } from '../store.ts'
import {
  EARLIER_VERSION,
  type EarlierContent,
  type EarlierStore,
  finish,
  type Migrated,
  type MigrateOptions,
  takeOver,
} from './take-over.ts'

/** Creates the store of a folder, or takes over the store of an earlier version. */
export async function migrate(
  folder: string,
  datasets: readonly StoredDataset[],
  { tables, onPhase, ...options }: MigrateOptions,
): Promise<Migrated> {
  const building = tablesIn(tables)
  if (existsSync(registryPath(folder))) {
    const unlock = await takeWriteLock(folder, options)
    const taken = await withStore(folder, building, async store =>
      store.version === 0 ? undefined : takeOver(store, datasets, onPhase),
    ).finally(unlock)
    if (taken !== undefined) return taken
  }
  const store = await openSqliteStore(folder, { tables })
  const [degraded] = store.degraded()
  await store.close()
  if (degraded !== undefined) throw new StoreUnusableError(degraded.detail)
  return { from: 0, to: MIGRATIONS.length, releases: [] }
}

/** Raises the version of the schema, which only this version then opens, and removes the files of the earlier form. */
export async function finishMigration(folder: string, datasets: readonly StoredDataset[]): Promise<boolean> {
  if (!existsSync(registryPath(folder))) throw new NoStoreError(`there is no store in ${folder}`)
  const unlock = await takeWriteLock(folder)
  try {
    // Throws for a foreign database, and for a store that has not been taken over.
    await (await openRegistry(folder)).destroy()
    return await withStore(folder, DEFAULT_TABLES, store => finish(store, datasets))
  } finally {
    unlock()
  }
}

async function withStore<T>(
  folder: string,
  tables: TableOptions,
  work: (store: EarlierStore) => Promise<T>,
): Promise<T> {
  const { database, registry } = await openAsItIs(folder)
  const isOpenable = tablesOf(database).has(RELEASE_FILES)
  const found = version(database)
  try {
    return await work({
      registry,
      isOpenable,
      version: found,
      newest: MIGRATIONS.length,
      open: ({ dataset, number, locator }) =>
        openContent(join(datasetFolder(folder, dataset), `${number}.sqlite`), locator),
      startRelease: async (dataset, layout) => buildFile(layout, tables, filesOf(folder, dataset)),
      write: enter =>
        writing(registry)(async transaction => {
          for (const step of MIGRATIONS.slice(found, EARLIER_VERSION)) database.exec(step)
          if (found < EARLIER_VERSION) database.exec(`pragma file.user_version = ${EARLIER_VERSION}`)
          if (!isOpenable) database.exec(MIGRATIONS[EARLIER_VERSION] ?? '')
          await enter(transaction)
        }),
      raiseVersion: async () => database.exec(`pragma file.user_version = ${MIGRATIONS.length}`),
      removeContent: () => removeFiles(folder),
    })
  } finally {
    await registry.destroy()
  }
}

async function removeFiles(folder: string): Promise<number> {
  let removed = 0
  for (const entry of await readdir(releasesFolder(folder), { withFileTypes: true, recursive: true })) {
    if (!entry.isFile() || !/^\d{1,15}\.sqlite$/.test(entry.name)) continue
    await rm(join(entry.parentPath, entry.name), { force: true })
    removed++
  }
  return removed
}

/** Opens the file of a release. Its locator is the SHA-256 of the file. */
async function openContent(path: string, locator: string): Promise<EarlierContent> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash).catch((error: unknown) => {
    throw new DamagedReleaseError(`${path} is missing or cannot be read`, { cause: error })
  })
  if (hash.digest('hex') !== locator) throw new DamagedReleaseError(`${path} differs from the published file`)
  const database = await kyselyOver<unknown>(openDatabase(path, 'mode=ro&immutable=1'), error =>
    toStoreError(error, path),
  )
  return { database, table: part => sql.id(part), close: () => database.destroy() }
}
