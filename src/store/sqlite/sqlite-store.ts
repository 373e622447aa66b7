import { constants, existsSync } from 'node:fs'
import { access, readdir, stat, statfs } from 'node:fs/promises'
import { basename } from 'node:path'
import { sql } from 'kysely'
import { errorCode } from '../../values/system/error-code.ts'
import { deniedByNode } from '../../values/system/node-permission.ts'
import { DEFAULT_TABLES, type StoreEngine, type StoreOptions, type TableOptions } from '../engine.ts'
import { SCHEMA } from '../registry/schema.ts'
import { type ReadRegistry, readRevision } from '../registry/tables.ts'
import { NoStoreError, StoreUnusableError } from '../store.ts'
import { damagedRegistry, isReadOnly, READ_ONLY, toStoreError } from './faults.ts'
import { makeFolders, readFileName, registryPath, releasesFolder } from './folder.ts'
import { createLeases } from './locks.ts'
import { openFinishedRegistry, openRegistry, verifyRegistry, writing } from './registry.ts'
import { releaseFiles } from './release-file.ts'
import { openReleaseWriter } from './release-writer.ts'

/**
 * Opens the store in a folder, creating it if necessary. Opens it read-only if this process may not write there. Throws
 * {@link StoreUnusableError} and {@link NoStoreError}.
 */
export async function openSqliteStore(
  folder: string,
  { mustExist = false, tables = DEFAULT_TABLES }: StoreOptions,
): Promise<StoreEngine> {
  if (tables.engine === 'sql')
    throw new StoreUnusableError(
      'TABLE_ENGINE=sql is for stores on PostgreSQL alone: unset it, or set DATABASE_URL to postgres://…',
    )
  const unreadable = deniedByNode('read', folder)
  if (unreadable !== undefined) throw new StoreUnusableError(`${folder} ${unreadable}`)
  const isThere = existsSync(registryPath(folder))
  if (mustExist && !isThere)
    throw new NoStoreError(
      `there is no store in ${folder}: \`pds import <dataset> <file>\` or \`pds demo\` makes one`,
    )
  try {
    await makeWritable(folder, isThere)
    return await openForWriting(folder, tables)
  } catch (error) {
    if (!isThere || !(error instanceof StoreUnusableError) || !isReadOnly(error)) throw error
    return openForReading(folder, error)
  }
}

/** Makes missing folders. Throws {@link StoreUnusableError} if this process cannot write there. */
async function makeWritable(folder: string, isThere: boolean): Promise<void> {
  // SQLite opens its files without asking Node.
  const denied = deniedByNode('write', folder)
  if (denied !== undefined) throw new StoreUnusableError(`${folder} ${denied}`, { cause: READ_ONLY })
  try {
    // SQLite would open a registry that it cannot write, if other processes have it open.
    if (isThere) for (const path of [folder, registryPath(folder)]) await access(path, constants.W_OK)
    await makeFolders(releasesFolder(folder))
  } catch (error) {
    // The error of a folder that takes no folders, such as /proc.
    if (errorCode(error) === 'ENOENT')
      throw new StoreUnusableError(`${folder} cannot be made: set DATABASE_URL to another folder`)
    throw toStoreError(error, folder)
  }
}

async function openForWriting(folder: string, tables: TableOptions): Promise<StoreEngine> {
  await refuseEmptied(folder)
  const registry = await openRegistry(folder)
  const leases = createLeases(folder)
  return {
    ...engineIn(folder, {
      read: query => query(registry),
      write: writing(registry),
      lock: options => openReleaseWriter(folder, registry, options, tables),
    }),
    degraded: () => [],
    leases,
    async close() {
      leases.releaseAll()
      await registry.destroy()
    },
  }
}

/** Opens a store that this process may not write. Every write throws `why`. */
async function openForReading(folder: string, why: StoreUnusableError): Promise<StoreEngine> {
  const read = readingUnlocked(folder)
  await read(async () => {})
  const since = new Date().toISOString()
  const refuse = () => Promise.reject(why)
  return {
    ...engineIn(folder, { read, write: refuse, lock: refuse }),
    isReadOnly: true,
    degraded: () => [{ part: 'primary', since, detail: why.message }],
    async close() {},
  }
}

/** The common part of a writable and a read-only store in a folder. */
const engineIn = (
  folder: string,
  own: Pick<StoreEngine, 'read' | 'write' | 'lock'>,
): Omit<StoreEngine, 'degraded' | 'close'> => ({
  ...own,
  ...releaseFiles(folder),
  shown: folder,
  writeReadings: own.write,
  writeHistory: own.write,
  async insert(transaction, table, rows) {
    const columns = Object.keys(rows[0] ?? {})
    const cells = columns.map(column => sql`value ->> ${sql.lit(column)}`)
    // One JSON text: a parameter for each value takes far longer.
    const { numAffectedRows } = await sql`
      insert into ${sql.id('file', table)} (${sql.join(columns.map(column => sql.ref(column)))})
      select ${sql.join(cells)} from json_each(${JSON.stringify(rows)}) where true
      on conflict do nothing`.execute(transaction)
    return Number(numAffectedRows)
  },
  // Queries run in the calling thread.
  maxConcurrency: 1,
  async disk() {
    const { bavail, blocks, bsize } = await statfs(folder)
    return { folder, freeBytes: bavail * bsize, totalBytes: blocks * bsize }
  },
  verify: () => own.read(registry => verifyRegistry(registry, folder)),
  revision: () => own.read(registry => readRevision(registry, 'revision')),
  async openMoment() {
    const registry = await openRegistry(folder)
    await sql`begin deferred`.execute(registry)
    // A transaction sees the state at its first query.
    await readRevision(registry, 'revision')
    return { registry, engine: 'sqlite', schema: SCHEMA, end: () => registry.destroy() }
  },
})

/** Throws {@link StoreUnusableError} for an empty registry beside releases: SQLite would take it for a new one. */
async function refuseEmptied(folder: string): Promise<void> {
  const path = registryPath(folder)
  const { size } = await stat(path).catch(() => ({ size: undefined }))
  if (size !== 0) return
  const files = await readdir(releasesFolder(folder), { recursive: true })
  if (files.some(file => typeof readFileName(basename(file)) === 'number'))
    throw damagedRegistry(path, 'it is empty, though there are releases')
}

/** How often a query is repeated if another process changes the registry during the query. */
const REPEATS = 3

/**
 * Reads without locks, which would need files, although another process may write. Each query opens the registry again, and
 * a query during a change is repeated. Throws {@link StoreUnusableError}.
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

/** A text that changes with the file or its log. */
async function stampOf(path: string): Promise<string> {
  const stats = await Promise.all([path, `${path}-wal`].map(file => stat(file).catch(() => undefined)))
  return stats.map(found => found && [found.ino, found.size, found.mtimeMs].join()).join(' ')
}
