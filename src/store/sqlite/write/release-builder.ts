import { randomBytes } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { setImmediate as breathe } from 'node:timers/promises'
import type { StoredRecord } from '../../../query/query.ts'
import { contentOf, releaseHash, shortDigest } from '../../encoding/content.ts'
import type { Layout } from '../../layout.ts'
import { type Database, openDatabase, type Statement } from '../driver.ts'
import { asidePath, datasetFolder } from '../paths.ts'
import { type PhysicalSchema, physicalSchema } from './physical-schema.ts'

/** A release file being written under a temporary name. */
export interface ReleaseBuilder {
  readonly path: string
  append(key: string, record: StoredRecord, json?: string): void
  /** Builds the release from the appended records and closes the file, reporting each long step. */
  seal(onPhase?: (phase: string) => void): Promise<Sealed>
  /** Closes and removes what is left of it. */
  remove(): Promise<void>
}

export interface Sealed {
  readonly rows: number
  readonly hash: string
  readonly repeated: number
}

/**
 * Starts a release file under a temporary name. Records go into a second file first, from which the release is built in
 * served order.
 */
export async function startRelease(folder: string, dataset: string, layout: Layout): Promise<ReleaseBuilder> {
  await mkdir(datasetFolder(folder, dataset), { recursive: true })
  const token = randomBytes(6).toString('hex')
  const path = asidePath(folder, dataset, token, 'release')
  const rowsPath = asidePath(folder, dataset, token, 'rows')
  const physical = physicalSchema(layout)
  const hash = releaseHash()
  let rows = 0
  let database: Database | undefined

  let failure: { readonly error: unknown } | undefined
  /** After a failure SQLite may have dropped earlier changes, so the build cannot continue. */
  function orFail<T>(work: () => T): T {
    if (failure !== undefined) throw failure.error
    try {
      return work()
    } catch (error) {
      failure = { error }
      throw error
    }
  }
  function close(): void {
    database?.close()
    database = undefined
  }
  async function remove(): Promise<void> {
    close()
    await rm(path, { force: true })
    await rm(rowsPath, { force: true })
  }

  let insert: Statement
  try {
    database = openDatabase(path)
    insert = prepare(database, rowsPath, physical)
  } catch (error) {
    await remove()
    throw error
  }

  return {
    path,
    remove,
    append(key, record, json) {
      if (database === undefined) throw new Error('the release is sealed: nothing can be added to it')
      const content = json ?? contentOf(record)
      const cells = physical.cells(record, content)
      orFail(() => insert.run(shortDigest(key), shortDigest(content), ...cells))
      hash.add(content)
      rows++
    },
    async seal(onPhase) {
      if (database === undefined) throw new Error('the release is sealed already')
      const building = database
      onPhase?.('sorting and indexing')
      for (const step of physical.finish) {
        orFail(() => step(building))
        await breathe()
      }
      onPhase?.('gathering what to compare it by')
      orFail(() => writeContents(building))
      await breathe()
      const repeated = rows - countContents(building)
      orFail(() => building.exec('commit'))
      close()
      await rm(rowsPath, { force: true })
      return { rows, hash: hash.digest(), repeated }
    },
  }
}

/**
 * Durability is off during the build: after a crash the files are discarded. The journal is in memory rather than off
 * because a connection in defensive mode, the default of newer drivers, ignores "off".
 */
function prepare(database: Database, rowsPath: string, { declarations }: PhysicalSchema): Statement {
  database.attach(rowsPath, 'aside')
  for (const schema of ['file', 'aside'])
    database.exec(`pragma ${schema}.journal_mode = memory; pragma ${schema}.synchronous = off;
      pragma ${schema}.locking_mode = exclusive; pragma ${schema}.cache_size = -16000`)
  database.exec(`
    begin;
    create table aside.appended
      (position integer primary key, key blob not null, digest blob not null, ${declarations.join(', ')})`)
  return database.prepare(
    `insert into aside.appended values (null, ?, ?${', ?'.repeat(declarations.length)})`,
  )
}

/** Stores the digests of each record's key and content, 16 bytes each, for comparing releases. */
function writeContents(database: Database): void {
  database.exec(`
    create table file.contents
      (key blob not null, digest blob not null, copies integer not null, primary key (key, digest)) without rowid;
    insert into file.contents select key, digest, count(*) from aside.appended group by key, digest`)
}

function countContents(database: Database): number {
  const row = database.prepare('select count(*) as n from contents').get() as { n: number }
  return row.n
}
