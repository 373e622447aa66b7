import { constants, existsSync } from 'node:fs'
import { access, readdir, stat, statfs } from 'node:fs/promises'
import { basename } from 'node:path'
import { deniedByNode } from '../../values/system/node-permission.ts'
import type { StoreOptions, TableOptions } from '../engine.ts'
import { createReadingStore, type ReadingEngine } from '../readings/reading-store.ts'
import { createReleaseStore, type ReleaseEngine } from '../registry/release-store.ts'
import { readRevision } from '../registry/revision.ts'
import { createStates } from '../registry/states.ts'
import { NoStoreError, type Store, StoreUnusableError } from '../store.ts'
import { damagedRegistry, isReadOnly, READ_ONLY, toStoreError } from './faults.ts'
import { makeFolders, readFileName, registryPath, releasesFolder, removeUnused } from './folder.ts'
import { createLeases } from './locks.ts'
import { readNumbers } from './read/number-rows.ts'
import { readingUnlocked } from './read/unlocked.ts'
import { hasNothingAndNobody, openRegistry, verifyRegistry, writing } from './registry.ts'
import { releaseFiles } from './release-file.ts'
import { withHistoryWriter } from './write/history.ts'
import { openReleaseWriter } from './write/release-writer.ts'

export interface SqliteOptions extends Pick<StoreOptions, 'mustExist' | 'discardUnused'> {
  readonly tables: TableOptions
}

/**
 * Opens the store in a folder, creating it if necessary. One that this process may only read is opened for that. Throws
 * {@link StoreUnusableError} and {@link NoStoreError}.
 */
export async function openSqliteStore(
  folder: string,
  { mustExist = false, discardUnused = false, tables }: SqliteOptions,
): Promise<Store> {
  const unreadable = deniedByNode('read', folder)
  if (unreadable !== undefined) throw new StoreUnusableError(`${folder} ${unreadable}`)
  const isThere = existsSync(registryPath(folder))
  if (mustExist && !isThere)
    throw new NoStoreError(
      `there is no store in ${folder}: \`pds import <dataset> <file>\` or \`pds demo\` makes one`,
    )
  try {
    const made = await makeWritable(folder, isThere)
    return await openForWriting(folder, tables, discardUnused && !isThere ? made : undefined)
  } catch (error) {
    if (!isThere || !(error instanceof StoreUnusableError) || !isReadOnly(error)) throw error
    return openForReading(folder, error)
  }
}

/** Makes the folders that are missing, and resolves to those. Throws {@link StoreUnusableError} where nothing can be written. */
async function makeWritable(folder: string, isThere: boolean): Promise<string[]> {
  // SQLite opens its files without asking Node.
  const denied = deniedByNode('write', folder)
  if (denied !== undefined) throw new StoreUnusableError(`${folder} ${denied}`, { cause: READ_ONLY })
  try {
    // While other processes have it open, SQLite would open a registry that it cannot write.
    if (isThere) for (const path of [folder, registryPath(folder)]) await access(path, constants.W_OK)
    return await makeFolders(releasesFolder(folder))
  } catch (error) {
    // The error of a folder that takes no folders, such as /proc.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw new StoreUnusableError(`${folder} cannot be made: set DATABASE_URL to another folder`)
    throw toStoreError(error, folder)
  }
}

/** `discarded`: what is removed on closing if nothing was written. */
async function openForWriting(
  folder: string,
  tables: TableOptions,
  discarded: readonly string[] | undefined,
): Promise<Store> {
  await refuseEmptied(folder)
  const registry = await openRegistry(folder)
  const leases = createLeases(folder)
  return {
    ...storeOver(folder, {
      read: query => query(registry),
      write: writing(registry),
      withHistoryWriter: work => withHistoryWriter(registry, work),
      lock: options => openReleaseWriter(folder, registry, options, tables),
    }),
    degraded: () => [],
    leases,
    async close() {
      leases.releaseAll()
      // On a full disk it cannot be told; the end of the connection frees the space of its log.
      const isUnused = discarded !== undefined && (await hasNothingAndNobody(registry).catch(() => false))
      await registry.destroy()
      if (isUnused) await removeUnused(folder, discarded)
    },
  }
}

/** Opens a store in which this process may not write, which `why` explains; every write throws that. */
async function openForReading(folder: string, why: StoreUnusableError): Promise<Store> {
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

/** The parts that a writable and a read-only store in a folder share. */
const storeOver = (
  folder: string,
  engine: Pick<ReadingEngine, 'read' | 'write' | 'withHistoryWriter'> & Pick<ReleaseEngine, 'lock'>,
): Omit<Store, 'degraded' | 'close'> => ({
  // Queries run in the calling thread.
  maxConcurrency: 1,
  async disk() {
    const { bavail, blocks, bsize } = await statfs(folder)
    return { folder, freeBytes: bavail * bsize, totalBytes: blocks * bsize }
  },
  verify: () => engine.read(registry => verifyRegistry(registry, folder)),
  releases: createReleaseStore({
    ...{ ...engine, ...releaseFiles(folder) },
    revision: () => engine.read(registry => readRevision(registry, 'revision')),
  }),
  readings: createReadingStore({ ...engine, readNumbers }),
  ...createStates(engine.read, engine.write),
})

/** Throws {@link StoreUnusableError} for an empty file beside releases: SQLite would make a new registry of it. */
async function refuseEmptied(folder: string): Promise<void> {
  const path = registryPath(folder)
  const { size } = await stat(path).catch(() => ({ size: undefined }))
  if (size !== 0) return
  const files = await readdir(releasesFolder(folder), { recursive: true })
  if (files.some(file => typeof readFileName(basename(file)) === 'number'))
    throw damagedRegistry(path, 'it is empty, though there are releases')
}
