import { randomInt } from 'node:crypto'
import type { Generated, Kysely } from 'kysely'
import type { Static, TObject } from 'typebox'
import type { COLUMNS, TableName } from './columns.ts'

/** A registry over one connection, a pool or a transaction. */
export type Registry = Kysely<RegistryTables>

/** Runs a query on any server that has the registry. */
export type ReadRegistry = <T>(query: (registry: Registry) => Promise<T>) => Promise<T>

/** Runs work in one writing transaction, after waiting for other writers. Throws {@link StoreBusyError}. */
export type WriteRegistry = <T>(work: (transaction: Registry) => Promise<T>) => Promise<T>

type Rows = { [Table in keyof typeof COLUMNS]: Static<TObject<(typeof COLUMNS)[Table]>> }

type Assigned<Row> = Omit<Row, 'id'> & { id: Generated<number> }

/** The tables of the registry, including tables and columns that only one store or engine needs. */
export interface RegistryTables extends Omit<Rows, 'releases' | 'reading_names' | 'reading_statuses'> {
  reading_names: Assigned<Rows['reading_names']>
  reading_statuses: Assigned<Rows['reading_statuses']>
  releases: ReleaseColumns & {
    /** Identifies the content for earlier versions of the service. They find no content for a release of this version. */
    locator: string
    /** When the release was pruned, in milliseconds since 1970; its content may remain for its last readers. */
    retired_at: number | null
  }
  /** The counters that tell other instances of changes. */
  state: { id: number; revision: number; history_revision: number }
  release_files: FileRow
  /** On PostgreSQL alone. */
  release_pieces: { name: string; piece: number; bytes: Uint8Array }
}

/** The row of a release, without the columns of one engine. */
export type ReleaseColumns = Rows['releases']

export type BatchRow = Rows['reading_batches']

/** A row of any table; no column of {@link COLUMNS} holds bytes. */
export type Row = Readonly<Record<string, string | number | null>>

/** Inserts rows, including keys that databases usually assign. Skips rows with a stored key. Resolves to the number inserted. */
export type InsertRows = (transaction: Registry, table: TableName, rows: readonly Row[]) => Promise<number>

/** A registry for a table whose name is known only at run time. */
export const withAnyTable = (registry: Registry) => registry as unknown as Kysely<Record<string, Row>>

/** The content of a release. */
export interface FileRow {
  dataset: string
  number: number
  /** Identifies the content for the engine: the name of a file, or the number in the names of tables. */
  name: string
  /** Null where the records are rows of a database. */
  bytes: number | null
  sha256: string | null
  /** The sum of the digests of its records (`measureRecords`). */
  digest: string
  /** How many records have a value in each field, as JSON; null if unknown. */
  filled: string | null
}

/** `revision` changes with any current release, `history_revision` with each import or removal of readings. */
type Counter = 'revision' | 'history_revision'

export async function readRevision(registry: Registry, counter: Counter): Promise<number> {
  return (await registry.selectFrom('state').select(counter).executeTakeFirstOrThrow())[counter]
}

/**
 * Raises a revision, in the caller's transaction. The number comes from the clock and two random digits: after a fail-over
 * to a standby that lacks the last change, the next revision must differ from any that instances have seen.
 */
export async function raiseRevision(transaction: Registry, counter: Counter): Promise<void> {
  const before = await readRevision(transaction, counter)
  const next = Math.max(before + 1, Date.now() * 100 + randomInt(100))
  await transaction
    .updateTable('state')
    .set({ [counter]: next })
    .execute()
}
