import { createHash } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { TableLayout } from '../../query/layout.ts'
import type { StoredRecord } from '../../query/query.ts'
import { unescapeText } from '../encoding/escape-text.ts'
import type { Migrated, MigrateOptions, TableOptions } from '../engine.ts'
import { RELEASE_FILES } from '../registry/schema.ts'
import { buildFile } from '../releases/file-builder.ts'
import { type Database, openDatabase } from '../sqlite/driver.ts'
import { toReadError } from '../sqlite/faults.ts'
import { datasetFolder, registryPath, releasesFolder } from '../sqlite/paths.ts'
import { MIGRATIONS, openAsItIs, openRegistry, tablesOf, version } from '../sqlite/registry.ts'
import { filesOf } from '../sqlite/release-file.ts'
import { takeWriteLock } from '../sqlite/write/write-lock.ts'
import type { StoredDataset } from '../store.ts'
import { DamagedReleaseError, NoStoreError, StoreUnusableError } from '../store.ts'
import {
  EARLIER_VERSION,
  type EarlierStore,
  earlierReleases,
  parseRecord,
  recordOf,
  refuseUntaken,
  takeOver,
} from './take-over.ts'

/** Creates the store of a folder, or takes over that of an earlier version. */
export async function migrate(
  folder: string,
  datasets: readonly StoredDataset[],
  { tables, onPhase = () => {}, ...options }: MigrateOptions & { readonly tables: TableOptions },
): Promise<Migrated> {
  const to = MIGRATIONS.length
  if (!existsSync(registryPath(folder))) {
    await create(folder, tables)
    return { from: 0, to, releases: [] }
  }
  const unlock = await takeWriteLock(folder, options)
  try {
    const { database, registry } = await openAsItIs(folder)
    const from = version(database)
    if (from === 0 || from === to) {
      await registry.destroy()
      if (from === 0) await create(folder, tables)
      return { from, to, releases: [] }
    }
    const hasFiles = tablesOf(database).has(RELEASE_FILES)
    const store: EarlierStore = {
      registry,
      isOpenable: hasFiles,
      records: recordsIn(folder),
      startRelease: async (dataset, layout) => buildFile(layout, tables, filesOf(folder, dataset)),
      async write(work) {
        await registry.transaction().execute(async transaction => {
          const current = version(database)
          for (const step of MIGRATIONS.slice(current, EARLIER_VERSION)) database.exec(step)
          if (current < EARLIER_VERSION) database.exec(`pragma file.user_version = ${EARLIER_VERSION}`)
          if (!hasFiles) database.exec(MIGRATIONS[EARLIER_VERSION] ?? '')
          await work(transaction)
        })
      },
    }
    return {
      from,
      to,
      releases: await takeOver(store, await earlierReleases(registry, hasFiles), datasets, onPhase),
    }
  } finally {
    unlock()
  }
}

async function create(folder: string, tables: TableOptions): Promise<void> {
  const { openSqliteStore } = await import('../sqlite/sqlite-store.ts')
  const store = await openSqliteStore(folder, { tables })
  const [degraded] = store.degraded()
  await store.close()
  if (degraded !== undefined) throw new StoreUnusableError(degraded.detail)
}

/** Makes the schema one that only this version opens, and removes the files of the earlier form. */
export async function finishMigration(folder: string, datasets: readonly StoredDataset[]): Promise<boolean> {
  if (!existsSync(registryPath(folder))) throw new NoStoreError(`there is no store in ${folder}`)
  const unlock = await takeWriteLock(folder)
  try {
    // Refuses a store that is not one, or not taken over.
    await (await openRegistry(folder)).destroy()
    const { database, registry } = await openAsItIs(folder)
    const isUnfinished = version(database) < MIGRATIONS.length
    try {
      if (isUnfinished) {
        await refuseUntaken(recordsIn(folder), await earlierReleases(registry, true), datasets)
        database.exec(`pragma file.user_version = ${MIGRATIONS.length}`)
      }
    } finally {
      await registry.destroy()
    }
    return (await removeEarlierFiles(folder)) > 0 || isUnfinished
  } finally {
    unlock()
  }
}

/** Resolves to the number of files. */
async function removeEarlierFiles(folder: string): Promise<number> {
  let removed = 0
  for (const dataset of await readdir(releasesFolder(folder), { withFileTypes: true })) {
    if (!dataset.isDirectory()) continue
    for (const name of await readdir(datasetFolder(folder, dataset.name))) {
      if (!EARLIER_FILE.test(name)) continue
      await rm(join(datasetFolder(folder, dataset.name), name), { force: true })
      removed++
    }
  }
  return removed
}

const EARLIER_FILE = /^\d{1,15}\.sqlite$/

/** Reads the records in the file of a release, whose SHA-256 was its locator. */
const recordsIn = (folder: string): EarlierStore['records'] =>
  async function* read({ dataset, number, locator }, layout) {
    const path = join(datasetFolder(folder, dataset), `${number}.sqlite`)
    await verify(path, locator)
    const database = openDatabase(path, { finished: true })
    try {
      yield* layout.kind === 'table' ? rowsIn(database, layout) : documentsIn(database)
    } catch (error) {
      throw toReadError(error, path)
    } finally {
      database.close()
    }
  }

async function verify(path: string, expected: string): Promise<void> {
  const hash = createHash('sha256')
  try {
    for await (const chunk of createReadStream(path)) hash.update(chunk)
  } catch (error) {
    throw new DamagedReleaseError(`${path} is missing or cannot be read`, { cause: error })
  }
  if (hash.digest('hex') !== expected)
    throw new DamagedReleaseError(`${path} does not have the bytes that were published`)
}

function* documentsIn(database: Database): Generator<StoredRecord> {
  for (const { content } of tableIn(database, 'documents')) yield parseRecord(String(content))
}

function* rowsIn(database: Database, layout: TableLayout): Generator<StoredRecord> {
  const words = new Map(
    layout.columns.filter(({ type }) => type === 'word').map(({ name }) => [name, wordsIn(database, name)]),
  )
  for (const row of tableIn(database, 'rows')) yield recordOf(layout, row, words)
}

/** Rows read by one statement. */
const BATCH = 2000

/** Reads a table in batches: the package ends an iterator whose statement is garbage-collected while its reader waits. */
function* tableIn(database: Database, table: string): Generator<Readonly<Record<string, unknown>>> {
  const statement = database.prepare(
    `select * from file.${table} where position > ? order by position limit ${BATCH}`,
  )
  for (let after = 0; ; ) {
    const rows = statement.all(after) as ({ position: number } & Record<string, unknown>)[]
    yield* rows
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.position
  }
}

function wordsIn(database: Database, column: string): ReadonlyMap<number, string> {
  const rows = database.prepare(`select id, value from "words_${column}"`).all()
  return new Map((rows as { id: number; value: string }[]).map(({ id, value }) => [id, unescapeText(value)]))
}
