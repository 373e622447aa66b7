import { stat } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { memberOf } from '../../values/values.ts'
import { RELEASE_FILES, registryMigrations } from '../registry/schema.ts'
import type { Registry, RegistryTables, WriteRegistry } from '../registry/tables.ts'
import { OldStoreError, StoreBusyError, StoreUnusableError } from '../store.ts'
import { kyselyOver } from './dialect.ts'
import { BUSY_TIMEOUT, type Database, endTransaction, openDatabase } from './driver.ts'
import { damagedRegistry, toRegistryError } from './faults.ts'
import { registryPath } from './folder.ts'

/** The steps that make the schema. Step n makes version n. Released steps never change. */
export const MIGRATIONS: readonly string[] = registryMigrations({
  prefix: 'file.',
  text: 'text',
  assignedKey: 'integer primary key',
  clustered: ' without rowid',
})

/** Opens the registry of a folder with its present schema, even an earlier one, so that it can be taken over. */
export async function openAsItIs(
  folder: string,
  mode?: Parameters<typeof openDatabase>[1],
  prepare: (database: Database, path: string) => void = () => {},
): Promise<{ database: Database; registry: Registry }> {
  const path = registryPath(folder)
  let database: Database | undefined
  try {
    database = openDatabase(path, mode)
    database.exec(BUSY_TIMEOUT)
    refuseForeign(database, path)
    prepare(database, path)
    const registry = await kyselyOver<RegistryTables>(database, error => toRegistryError(error, path))
    return { database, registry }
  } catch (error) {
    database?.close()
    throw toRegistryError(error, path)
  }
}

/** Opens the registry of a folder, or creates it. Throws {@link OldStoreError} and {@link StoreUnusableError}. */
export const openRegistry = (folder: string): Promise<Registry> =>
  untilFree(async () => (await openAsItIs(folder, undefined, makeReady)).registry)

/**
 * Opens the registry of a read-only folder. It takes locks only if there is a log of changes, which requires them. Throws {@link
 * StoreUnusableError}.
 */
export async function openFinishedRegistry(folder: string): Promise<Registry> {
  const log = await stat(`${registryPath(folder)}-wal`).catch(() => undefined)
  const mode = log !== undefined && log.size > 0 ? 'mode=ro' : 'mode=ro&immutable=1'
  return (await openAsItIs(folder, mode, refuseUnready)).registry
}

/** Reads every page. Throws {@link StoreUnusableError} if the registry is damaged. */
export async function verifyRegistry(registry: Registry, folder: string): Promise<void> {
  const { rows } = await sql<{ quick_check: string }>`pragma file.quick_check(1)`.execute(registry)
  const [found] = rows
  if (found?.quick_check !== 'ok')
    throw damagedRegistry(registryPath(folder), (found?.quick_check ?? '').replace(/\s+/g, ' '))
}

/** Whether a registry is without releases and readings, and not open in any other process. */
export async function hasNothingAndNobody(registry: Registry): Promise<boolean> {
  for (const table of ['releases', 'observations', 'readings'] as const)
    if ((await registry.selectFrom(table).select(sql`1`.as('one')).limit(1).execute()).length > 0)
      return false
  try {
    // The journal mode can change only if no other connection is open.
    const { rows } = await sql<{ journal_mode: string }>`pragma file.journal_mode = delete`.execute(registry)
    return rows[0]?.journal_mode === 'delete'
  } catch (error) {
    if (error instanceof StoreBusyError) return false
    throw error
  }
}

function makeReady(database: Database, path: string): void {
  if (version(database) === 0) create(database)
  refuseUnready(database, path)
  database.exec('pragma file.journal_mode = wal; pragma file.synchronous = full')
}

/** Throws unless the registry has the tables of this version. */
function refuseUnready(database: Database, path: string): void {
  const found = tablesOf(database)
  const foundVersion = version(database)
  // With the table of release files, `pds migrate` has taken the store over, though the previous version can still open it.
  if (foundVersion > 0 && foundVersion < MIGRATIONS.length && !found.has(RELEASE_FILES))
    throw new OldStoreError(path)
  expected ??= expectedTables()
  for (const [name, definition] of expected)
    if (found.get(name) !== definition)
      throw damagedRegistry(path, `the table ${name} is not that of its version`)
}

function create(database: Database): void {
  // Waiting for the lock may block here, because nothing is served yet.
  database.exec('begin immediate')
  try {
    // Another process may have created the schema while this one waited.
    if (version(database) === 0) {
      for (const step of MIGRATIONS) database.exec(step)
      database.exec(
        `pragma file.application_id = ${APPLICATION_ID}; pragma file.user_version = ${MIGRATIONS.length}`,
      )
    }
    database.exec('commit')
  } catch (error) {
    endTransaction(database)
    throw error
  }
}

let expected: ReadonlyMap<string, string> | undefined

/** The tables that the migrations make, by name. */
function expectedTables(): ReadonlyMap<string, string> {
  const database = openDatabase(':memory:')
  for (const step of MIGRATIONS) database.exec(step)
  const tables = tablesOf(database)
  database.close()
  return tables
}

/** The definition of each table, by its name. */
export function tablesOf(database: Database): ReadonlyMap<string, string> {
  const tables = database.prepare("select name, sql from file.sqlite_schema where type = 'table'").all()
  return new Map(tables.map(table => [String(memberOf(table, 'name')), String(memberOf(table, 'sql'))]))
}

/** "PDSr": distinguishes a registry from any other database (https://sqlite.org/pragma.html#pragma_application_id). */
const APPLICATION_ID = 0x50_44_53_72

function refuseForeign(database: Database, path: string): void {
  const found = version(database)
  const tables = numberOf(database, 'select count(*) from file.sqlite_schema')
  if (tables > 0 && numberOf(database, 'pragma file.application_id') !== APPLICATION_ID)
    throw new StoreUnusableError(
      `${path} is another program's database, or damaged: set DATABASE_URL to another folder, or restore it from a backup`,
    )
  if (found > MIGRATIONS.length)
    throw new StoreUnusableError(
      `${path} was written by a newer version of the service (schema ${found}, this one knows ${MIGRATIONS.length}): ` +
        'run that version, or restore a backup from before it',
    )
}

/** The version of the schema, or 0 for an empty file. */
export const version = (database: Database): number => numberOf(database, 'pragma file.user_version')

function numberOf(database: Database, sql: string): number {
  return Number(Object.values(database.prepare(sql).get() ?? {})[0])
}

/** Writes in one transaction at a time, after waiting for the transactions of other processes. */
export const writing =
  (registry: Registry): WriteRegistry =>
  work =>
    untilFree(() => registry.transaction().execute(work))

/** How long to wait for other processes. */
const WAIT_MS = 10_000
const POLL_MS = 20

/**
 * Repeats work while another process has the necessary lock. Waiting here instead of inside SQLite lets a process serve while
 * another imports. Two processes that create a registry at the same time may lock each other out for a moment.
 */
async function untilFree<T>(work: () => Promise<T>): Promise<T> {
  for (const deadline = performance.now() + WAIT_MS; ; await pause(POLL_MS))
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof StoreBusyError) || performance.now() > deadline) throw error
    }
}
