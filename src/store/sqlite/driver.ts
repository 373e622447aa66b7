import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

/** A connection to a file. The tables are in the schema `file`. */
export interface Database {
  exec(sql: string): void
  prepare(sql: string): Statement
  /** Interrupts running statements and closes the file; harmless once closed. */
  close(): void
}

/** The part of a statement of the `node:sqlite` API that the store uses. */
interface Statement {
  all(...parameters: readonly unknown[]): unknown[]
  get(...parameters: readonly unknown[]): unknown
  run(...parameters: readonly unknown[]): WrittenRows
}

export interface WrittenRows {
  readonly changes: number | bigint
  readonly lastInsertRowid: number | bigint
}

/** Node's own module, or a package with the same API for Node versions without the module. */
export const DRIVER =
  Number.parseInt(process.versions.node, 10) < 22 ? '@photostructure/sqlite' : 'node:sqlite'

/** Loads SQLite. Throws the package's error if the package has no binary for this machine. */
export function loadDriver(): { readonly DatabaseSync: new (path: string) => Database } {
  const { emitWarning } = process
  // Hides the warning of Node 22 that its module is experimental: an operator can do nothing about it.
  process.emitWarning = () => {}
  try {
    return createRequire(import.meta.url)(DRIVER)
  } finally {
    process.emitWarning = emitWarning
  }
}

let driver: ReturnType<typeof loadDriver> | undefined

/**
 * Opens a database file as the schema `file`, creating a missing file. `mode=ro` opens it for reading only. `immutable=1` says that
 * no one writes to the file, so SQLite ignores locks and journals (https://sqlite.org/uri.html).
 *
 * Files are attached to a connection in memory. The package keeps the file of a closed connection open and locked until
 * its last statement is garbage collected, whereas detaching closes the file immediately.
 */
export function openDatabase(path: string, mode?: 'mode=ro' | 'mode=ro&immutable=1'): Database {
  driver ??= loadDriver()
  const connection = new driver.DatabaseSync(':memory:')
  try {
    const address = mode === undefined ? path : `${pathToFileURL(path).href}?${mode}`
    connection.prepare('attach ? as file').run(address)
  } catch (error) {
    connection.close()
    throw error
  }
  let isOpen = true
  const database: Database = {
    exec: sql => connection.exec(sql),
    prepare: sql => connection.prepare(sql),
    close() {
      if (!isOpen) return
      isOpen = false
      endTransaction(database)
      connection.exec('detach file')
      connection.close()
    },
  }
  return database
}

/** How long a read may block. A read blocks only while a journal is being restored. */
export const BUSY_TIMEOUT = 'pragma busy_timeout = 2000'

/**
 * Starts a transaction with the write lock: a transaction that reads first would fail if another process then writes. Throws
 * immediately if another process has the lock, because waiting inside SQLite would block a process that serves.
 */
export function beginWriting(database: Database): void {
  database.exec('pragma busy_timeout = 0')
  try {
    database.exec('begin immediate')
  } finally {
    database.exec(BUSY_TIMEOUT)
  }
}

/** Rolls back. SQLite itself rolls back after some errors, so a missing transaction is no error here. */
export function endTransaction(database: Database): void {
  try {
    database.exec('rollback')
  } catch {}
}
