import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

/** A value in one column of a row. */
export type Cell = string | number | Uint8Array | null

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
}

interface Driver {
  readonly DatabaseSync: new (path: string) => Pick<Database, 'exec' | 'prepare' | 'close'>
}

/** Node's own module, from the version on that has it; before, a package with the same API. */
export const DRIVER =
  Number.parseInt(process.versions.node, 10) < 22 ? '@photostructure/sqlite' : 'node:sqlite'

/** Loads SQLite. Throws the error of the package where it has no binary for this machine. */
export function loadDriver(): Driver {
  const { emitWarning } = process
  // Node 22 warns that its module is experimental, which an operator can do nothing about.
  process.emitWarning = () => {}
  try {
    return createRequire(import.meta.url)(DRIVER)
  } finally {
    process.emitWarning = emitWarning
  }
}

let driver: Driver | undefined

/**
 * Opens a database file as the schema `file`, creating it if it is missing.
 *
 * Files are attached to a connection in memory because the package keeps the file of a closed connection open, and
 * locked, until its last statement is garbage collected; a detached file is closed at once.
 */
export function openDatabase(path: string, options?: OpenOptions): Database {
  driver ??= loadDriver()
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
