import { constants, existsSync } from 'node:fs'
import { access, readdir, stat, statfs } from 'node:fs/promises'
import { basename } from 'node:path'
import { type Expression, type RawBuilder, sql } from 'kysely'
import { errorCode } from '../../values/system/error-code.ts'
import { deniedByNode } from '../../values/system/node-permission.ts'
import { DEFAULT_TABLES, type StoreEngine, type StoreOptions, type TableOptions } from '../engine.ts'
import type { NumberQuery } from '../readings/history-queries.ts'
import { type ReadRegistry, type Registry, type Row, readRevision } from '../registry/tables.ts'
import { NoStoreError, StoreUnusableError } from '../store.ts'
import { damagedRegistry, isReadOnly, READ_ONLY, toStoreError } from './faults.ts'
import { makeFolders, readFileName, registryPath, releasesFolder, removeUnused } from './folder.ts'
import { createLeases } from './locks.ts'
import {
  hasNothingAndNobody,
  MIGRATIONS,
  openFinishedRegistry,
  openRegistry,
  verifyRegistry,
  writing,
} from './registry.ts'
import { releaseFiles } from './release-file.ts'
import { openReleaseWriter } from './release-writer.ts'

/**
 * Opens the store in a folder, creating it if necessary. Opens it read-only if this process may not write there. Throws
 * {@link StoreUnusableError} and {@link NoStoreError}.
 */
export async function openSqliteStore(
  folder: string,
  { mustExist = false, discardUnused = false, tables }: StoreOptions,
): Promise<StoreEngine> {
  const building = tablesIn(tables)
  const unreadable = deniedByNode('read', folder)
  if (unreadable !== undefined) throw new StoreUnusableError(`${folder} ${unreadable}`)
  const isThere = existsSync(registryPath(folder))
  if (mustExist && !isThere)
    throw new NoStoreError(
      `there is no store in ${folder}: \`pds import <dataset> <file>\` or \`pds demo\` makes one`,
    )
  try {
    const made = await makeWritable(folder, isThere)
    return await openForWriting(folder, building, discardUnused && !isThere ? made : undefined)
  } catch (error) {
    if (!isThere || !(error instanceof StoreUnusableError) || !isReadOnly(error)) throw error
    return openForReading(folder, error)
  }
}

/** The options for tables in a folder. Throws {@link StoreUnusableError} for `sql`, which needs PostgreSQL. */
export function tablesIn(tables: TableOptions = DEFAULT_TABLES): TableOptions {
  if (tables.engine === 'memory') return tables
  throw new StoreUnusableError(
    'TABLE_ENGINE=sql is for stores on PostgreSQL alone: unset it, or set DATABASE_URL to postgres://…',
  )
}

/** Makes missing folders, and resolves to these. Throws {@link StoreUnusableError} if this process cannot write there. */
async function makeWritable(folder: string, isThere: boolean): Promise<string[]> {
  // SQLite opens its files without asking Node.
  const denied = deniedByNode('write', folder)
  if (denied !== undefined) throw new StoreUnusableError(`${folder} ${denied}`, { cause: READ_ONLY })
  try {
    // SQLite would open a registry that it cannot write, if other processes have it open.
    if (isThere) for (const path of [folder, registryPath(folder)]) await access(path, constants.W_OK)
    return await makeFolders(releasesFolder(folder))
  } catch (error) {
    // The error of a folder that takes no folders, such as /proc.
    if (errorCode(error) === 'ENOENT')
      throw new StoreUnusableError(`${folder} cannot be made: set DATABASE_URL to another folder`)
    throw toStoreError(error, folder)
  }
}

/** `discarded` are the folders to remove on closing if nothing was written. */
async function openForWriting(
  folder: string,
  tables: TableOptions,
  discarded: readonly string[] | undefined,
): Promise<StoreEngine> {
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
      // On a full disk this query fails. Closing the connection frees the space of its log.
      const isUnused = discarded !== undefined && (await hasNothingAndNobody(registry).catch(() => false))
      await registry.destroy()
      if (isUnused) await removeUnused(folder, discarded)
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
  readNumbers,
  insert: (transaction, table, rows) => insertRows(transaction, sql.id('file', table), rows),
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
    return { registry, engine: 'sqlite', schema: MIGRATIONS.length, end: () => registry.destroy() }
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

/** Reads numbers as one JSON text: the driver takes five times as long to return single rows. */
export async function readNumbers<Row extends object>(
  query: NumberQuery<Row>,
  columns: readonly (keyof Row & string)[],
  registry: Registry,
): Promise<Row[]> {
  const row = sql.join(columns.map(column => sql.ref(column)))
  const { rows } = await sql<{ texts: string }>`
    select json_group_array(json_array(${row})) as texts
    from (${query as unknown as Expression<unknown>})`.execute(registry)
  const cells: (number | null)[][] = JSON.parse(rows[0]?.texts ?? '[]')
  return cells.map(numbers => {
    // A loop creates objects of one hidden class, much faster than `Object.fromEntries`. There are millions.
    const found: Record<string, unknown> = {}
    for (let at = 0; at < columns.length; at++) found[columns[at] ?? ''] = numbers[at]
    return found as Row
  })
}

/** Inserts rows, skipping stored keys. Sends the rows as one JSON text: a parameter for each value takes far longer. */
export async function insertRows(
  registry: Registry,
  into: RawBuilder<unknown>,
  rows: readonly Row[],
): Promise<number> {
  const columns = Object.keys(rows[0] ?? {})
  const cells = columns.map(column => sql`value ->> ${sql.lit(column)}`)
  const { numAffectedRows } = await sql`
    insert into ${into} (${sql.join(columns.map(column => sql.ref(column)))})
    select ${sql.join(cells)} from json_each(${JSON.stringify(rows)}) where true
    on conflict do nothing`.execute(registry)
  return Number(numAffectedRows)
}
