import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import type { Cell } from '../encoding/cells.ts'

/** A connection to one or more files. */
export interface Database {
  exec(sql: string): void
  prepare(sql: string): Statement
  /** Attaches a further file as a schema. */
  attach(path: string, schema: string, options?: OpenOptions): void
  /** Interrupts running statements and closes the files; harmless once closed. */
  close(): void
}

/** By default the file is read and written. */
export interface OpenOptions {
  /** The file is read-only and immutable, which saves checks for locks and journals. */
  readonly finished?: boolean
  /** The file is read-only, but others may write to it. */
  readonly readOnly?: boolean
}

/** The part of a statement of the `node:sqlite` API that the store uses. */
export interface Statement {
  all(...parameters: Cell[]): unknown[]
  get(...parameters: Cell[]): unknown
  run(...parameters: Cell[]): { changes: number | bigint; lastInsertRowid: number | bigint }
  iterate(...parameters: Cell[]): IterableIterator<unknown>
}

interface Driver {
  readonly DatabaseSync: new (path: string) => Pick<Database, 'exec' | 'prepare' | 'close'>
}

/**
 * The modules with the `node:sqlite` API, best first for this version of Node. Before 24 the built-in is missing or
 * warns that it is experimental, so the package with the same API goes first.
 */
export function driverNames(nodeVersion: string): string[] {
  const names = ['@photostructure/sqlite', 'node:sqlite']
  return Number.parseInt(nodeVersion, 10) >= 24 ? names.reverse() : names
}

/** Loads the first available driver. Throws the first one's error if there is none. */
export function loadDriver(
  names: readonly string[],
  load: (name: string) => unknown = createRequire(import.meta.url),
): Driver {
  const errors: unknown[] = []
  for (const name of names) {
    try {
      return load(name) as Driver
    } catch (error) {
      errors.push(error)
    }
  }
  throw errors[0]
}

let driver: Driver | undefined

/**
 * Opens a database file as the schema `file`, creating it if it is missing.
 *
 * Files are attached to a connection in memory because the package keeps the file of a closed connection open, and
 * locked, until its last statement is garbage collected; a detached file is closed at once.
 */
export function openDatabase(path: string, options?: OpenOptions): Database {
  driver ??= loadDriver(driverNames(process.versions.node))
  const connection = new driver.DatabaseSync(':memory:')
  const schemas: string[] = []
  const database: Database = {
    exec: sql => connection.exec(sql),
    prepare: sql => connection.prepare(sql),
    attach(file, schema, { finished = false, readOnly = false } = {}) {
      const query = `?mode=ro${finished ? '&immutable=1' : ''}`
      const address = finished || readOnly ? pathToFileURL(file).href + query : file
      connection.prepare(`attach ? as ${schema}`).run(address)
      schemas.push(schema)
    },
    close() {
      if (schemas.length === 0) return
      endTransaction(database)
      for (const schema of schemas.splice(0)) connection.exec(`detach ${schema}`)
      connection.close()
    },
  }
  try {
    database.attach(path, 'file', options)
    return database
  } catch (error) {
    connection.close()
    throw error
  }
}

/** Rolls back. SQLite does so itself after some errors, so a missing transaction is no error here. */
export function endTransaction(database: Database): void {
  try {
    database.exec('rollback')
  } catch {}
}
