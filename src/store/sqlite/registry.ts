import { stat } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { memberOf } from '../../values/values.ts'
import { addedTables, developmentStore, firstTables, incompleteStore, SCHEMA } from '../registry/schema.ts'
import type { Registry, RegistryTables, WriteRegistry } from '../registry/tables.ts'
import { StoreBusyError, StoreUnusableError } from '../store.ts'
import { kyselyOver } from './dialect.ts'
import { BUSY_TIMEOUT, type Database, endTransaction, openDatabase } from './driver.ts'
import { damagedRegistry, toRegistryError } from './faults.ts'
import { registryPath } from './folder.ts'

const DIALECT = {
  prefix: 'file.',
  text: 'text',
  assignedKey: 'integer primary key',
  clustered: ' without rowid',
}

const ADDED: Readonly<Record<string, string>> = addedTables(DIALECT)

/** Opens the registry of a folder after `prepare` has accepted or completed its schema. */
async function openPrepared(
  folder: string,
  mode: Parameters<typeof openDatabase>[1],
  prepare: (database: Database, path: string) => void,
): Promise<Registry> {
  const path = registryPath(folder)
  let database: Database | undefined
  try {
    database = openDatabase(path, mode)
    database.exec(BUSY_TIMEOUT)
    refuseForeign(database, path)
    prepare(database, path)
    return await kyselyOver<RegistryTables>(database, error => toRegistryError(error, path))
  } catch (error) {
    database?.close()
    throw toRegistryError(error, path)
  }
}

/** Opens the registry of a folder. Creates it, or adds its missing tables. Throws {@link StoreUnusableError}. */
export const openRegistry = (folder: string): Promise<Registry> =>
  untilFree(() => openPrepared(folder, undefined, makeReady))

/**
 * Opens the registry of a read-only folder. It takes locks only if there is a log of changes, which requires them. Throws {@link
 * StoreUnusableError}.
 */
export async function openFinishedRegistry(folder: string): Promise<Registry> {
  const log = await stat(`${registryPath(folder)}-wal`).catch(() => undefined)
  const mode = log !== undefined && log.size > 0 ? 'mode=ro' : 'mode=ro&immutable=1'
  return openPrepared(folder, mode, refuseUnready)
}

/** Reads every page. Throws {@link StoreUnusableError} if the registry is damaged. */
export async function verifyRegistry(registry: Registry, folder: string): Promise<void> {
  const { rows } = await sql<{ quick_check: string }>`pragma file.quick_check(1)`.execute(registry)
  const [found] = rows
  if (found?.quick_check !== 'ok')
    throw damagedRegistry(registryPath(folder), (found?.quick_check ?? '').replace(/\s+/g, ' '))
}

function makeReady(database: Database, path: string): void {
  if (version(database) === 0 || missingIn(database).length > 0) complete(database)
  refuseUnready(database, path)
  database.exec('pragma file.journal_mode = wal; pragma file.synchronous = full')
}

/** Throws unless the registry has the tables of this version. */
function refuseUnready(database: Database, path: string): void {
  const missing = missingIn(database)
  if (missing.length > 0) throw incompleteStore(path, missing)
  const found = tablesOf(database)
  expected ??= expectedTables()
  for (const [name, definition] of expected)
    if (found.get(name) !== definition)
      throw damagedRegistry(path, `the table ${name} is not that of its version`)
}

/** The tables that a later version has to add. */
function missingIn(database: Database): string[] {
  const found = tablesOf(database)
  return Object.keys(ADDED).filter(name => !found.has(name))
}

/** Creates the schema, or adds the missing tables. */
function complete(database: Database): void {
  // Waiting for the lock may block here, because nothing is served yet.
  database.exec('begin immediate')
  try {
    // Another process may have done this while this one waited.
    if (version(database) === 0) {
      database.exec(firstTables(DIALECT))
      database.exec(`pragma file.application_id = ${APPLICATION_ID}; pragma file.user_version = ${SCHEMA}`)
    }
    for (const name of missingIn(database)) database.exec(ADDED[name] ?? '')
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
  for (const step of [firstTables(DIALECT), ...Object.values(ADDED)]) database.exec(step)
  const tables = tablesOf(database)
  database.close()
  return tables
}

/** The definition of each table, by its name. */
function tablesOf(database: Database): ReadonlyMap<string, string> {
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
  if (found > 0 && found < SCHEMA) throw developmentStore(path)
  if (found > SCHEMA)
    throw new StoreUnusableError(
      `${path} was written by a newer version of the service (schema ${found}, this one knows ${SCHEMA}): ` +
        'run that version, or restore a backup from before it',
    )
}

/** The version of the schema, or 0 for an empty file. */
const version = (database: Database): number => numberOf(database, 'pragma file.user_version')

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
