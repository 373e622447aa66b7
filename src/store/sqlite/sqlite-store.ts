import { constants, existsSync } from 'node:fs'
import { access, readdir, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { deniedByNode } from '../../values/node-permission.ts'
import type { StoreOptions, TableOptions } from '../engine.ts'
import type { ReadRegistry } from '../registry/tables.ts'
import { NoStoreError, type Store, StoreUnusableError } from '../store.ts'
import { damagedRegistry, isReadOnly, READ_ONLY, toStoreError } from './faults.ts'
import { makeFolders, removeUnused } from './folders.ts'
import { readFileName, registryPath, releasesFolder } from './paths.ts'
import { openReadOnlyStore } from './read-only-store.ts'
import { hasNothingAndNobody, openRegistry, writing } from './registry.ts'
import { storeOver } from './store-over.ts'
import { withHistoryWriter } from './write/history.ts'
import { createLeases } from './write/leases.ts'
import { openReleaseWriter } from './write/release-writer.ts'

interface WithTables {
  readonly tables: TableOptions
}

/**
 * Opens the store in a folder, creating it if necessary. One that this process may only read is opened for that. Throws
 * {@link StoreUnusableError} and {@link NoStoreError}.
 */
export async function openSqliteStore(
  folder: string,
  { mustExist = false, ...options }: Pick<StoreOptions, 'mustExist' | 'discardUnused'> & WithTables,
): Promise<Store> {
  const unreadable = deniedByNode('read', folder)
  if (unreadable !== undefined) throw new StoreUnusableError(`${folder} ${unreadable}`)
  const isThere = existsSync(registryPath(folder))
  if (mustExist && !isThere)
    throw new NoStoreError(
      `there is no store in ${folder}: \`pds import <dataset> <file>\` or \`pds demo\` makes one`,
    )
  try {
    return await openForWriting(folder, isThere, options)
  } catch (error) {
    if (!isThere || !(error instanceof StoreUnusableError) || !isReadOnly(error)) throw error
    return openReadOnlyStore(folder, error)
  }
}

async function openForWriting(
  folder: string,
  isThere: boolean,
  { discardUnused = false, tables }: Pick<StoreOptions, 'discardUnused'> & WithTables,
): Promise<Store> {
  // SQLite opens its files without asking Node.
  const denied = deniedByNode('write', folder)
  if (denied !== undefined) throw new StoreUnusableError(`${folder} ${denied}`, { cause: READ_ONLY })
  let made: string[]
  try {
    // While other processes have it open, SQLite would open a registry that it cannot write.
    if (isThere) for (const path of [folder, registryPath(folder)]) await access(path, constants.W_OK)
    made = await makeFolders(releasesFolder(folder))
  } catch (error) {
    // The error of a folder that takes no folders, such as /proc.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw new StoreUnusableError(`${folder} cannot be made: set DATABASE_URL to another folder`)
    throw toStoreError(error, folder)
  }
  await refuseEmptied(folder)
  const registry = await openRegistry(folder)
  const read: ReadRegistry = query => query(registry)
  const leases = createLeases(folder)
  return {
    ...storeOver(folder, {
      read,
      write: writing(registry),
      withHistoryWriter: work => withHistoryWriter(registry, work),
      lock: options => openReleaseWriter(folder, registry, options, tables),
    }),
    degraded: () => [],
    leases,
    async close() {
      leases.close()
      // On a full disk it cannot be told; the end of the connection frees the space of its log.
      const mayGo = discardUnused && !isThere
      const isUnused = mayGo && (await hasNothingAndNobody(registry).catch(() => false))
      await registry.destroy()
      if (isUnused) await removeUnused(folder, made)
    },
  }
}

/** Throws {@link StoreUnusableError} for an empty file beside releases: SQLite would make a new registry of it. */
async function refuseEmptied(folder: string): Promise<void> {
  const path = registryPath(folder)
  const { size } = await stat(path).catch(() => ({ size: undefined }))
  if (size !== 0) return
  const files = await readdir(releasesFolder(folder), { recursive: true })
  if (files.some(file => typeof readFileName(basename(file)) === 'number'))
    throw damagedRegistry(path, 'it is empty, though there are releases')
}
