import { randomBytes } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { shortDigest } from '../../encoding/content.ts'
import type { Layout } from '../../layout.ts'
import { comparison } from '../../registry/comparison.ts'
import type { ReleaseBuilder } from '../../registry/writer.ts'
import type { Changes } from '../../store.ts'
import { type Database, openDatabase, type Statement } from '../driver.ts'
import { datasetFolder, releasePath, stagingPath } from '../paths.ts'
import { putInPlace, verifyFile } from '../release-file.ts'
import { type PhysicalSchema, physicalSchema } from './physical-schema.ts'

/**
 * Starts a release file under a temporary name. Records go into a second file first, from which the release is built in
 * served order.
 */
export async function startRelease(folder: string, dataset: string, layout: Layout): Promise<ReleaseBuilder> {
  await mkdir(datasetFolder(folder, dataset), { recursive: true })
  const token = randomBytes(6).toString('hex')
  let path = stagingPath(folder, dataset, token, 'release')
  const rowsPath = stagingPath(folder, dataset, token, 'rows')
  const physical = physicalSchema(layout)
  const database = openDatabase(path)
  async function remove(): Promise<void> {
    database.close()
    await rm(path, { force: true })
    await rm(rowsPath, { force: true })
  }

  let insert: Statement
  try {
    insert = prepare(database, rowsPath, physical)
  } catch (error) {
    await remove()
    throw error
  }

  return {
    remove,
    append(key, record, content) {
      insert.run(shortDigest(key), shortDigest(content), ...physical.cells(record, content))
      return undefined
    },
    async seal(_rows, onPhase) {
      onPhase('sorting and indexing')
      for (const step of physical.finish) {
        step(database)
        await nextTurn()
      }
      onPhase('writing the digests of records')
      const distinct = writeDigests(database)
      await nextTurn()
      database.exec('commit')
      database.close()
      await rm(rowsPath, { force: true })
      return distinct
    },
    async changesSince(kept) {
      const before = releasePath(folder, kept.release)
      await verifyFile(before, kept)
      return compare(before, path)
    },
    async place(number) {
      const place = releasePath(folder, { dataset, number })
      const hash = await putInPlace(path, place)
      path = place
      return hash
    },
  }
}

/**
 * Durability is off during the build: after a crash the files are discarded. The journal is in memory rather than off
 * because a connection in defensive mode, the default of newer drivers, ignores "off".
 */
function prepare(database: Database, rowsPath: string, { declarations }: PhysicalSchema): Statement {
  database.attach(rowsPath, 'staging')
  for (const schema of ['file', 'staging'])
    database.exec(`pragma ${schema}.journal_mode = memory; pragma ${schema}.synchronous = off;
      pragma ${schema}.locking_mode = exclusive; pragma ${schema}.cache_size = -16000`)
  database.exec(`
    begin;
    create table staging.rows
      (position integer primary key, key blob not null, digest blob not null, ${declarations.join(', ')})`)
  return database.prepare(`insert into staging.rows values (null, ?, ?${', ?'.repeat(declarations.length)})`)
}

/**
 * Stores the digests of each record's key and content, 16 bytes each, for comparing releases; returns the number of
 * distinct pairs.
 */
function writeDigests(database: Database): number {
  database.exec(`
    create table file.digests
      (key blob not null, digest blob not null, copies integer not null, primary key (key, digest)) without rowid;
    insert into file.digests select key, digest, count(*) from staging.rows group by key, digest`)
  return (database.prepare('select count(*) as n from file.digests').get() as { n: number }).n
}

function compare(before: string, after: string): Changes {
  const database = openDatabase(after, { finished: true })
  try {
    database.attach(before, 'before', { finished: true })
    return { ...(database.prepare(COMPARISON).get() as Changes) }
  } finally {
    database.close()
  }
}

const COMPARISON = comparison('before.digests', 'file.digests')
