import type { Client } from 'pg'
import { contentOf, releaseHash, shortDigestHex } from '../content.ts'
import type { Layout, StoredRecord } from '../layout.ts'
import { type CopyIn, startCopy } from './copy-in.ts'
import { copyLine } from './copy-text.ts'
import type { ReleaseTables } from './release-tables.ts'
import { shapeOf } from './shape.ts'

/** The tables of a release that is being written; nobody else knows their names. */
export interface Aside {
  /** Gives a promise where the server is behind. */
  append(key: string, record: StoredRecord): Promise<void> | undefined
  /** Builds the release out of what was appended, telling what it is about. */
  seal(onPhase?: (phase: string) => void): Promise<Sealed>
  /** Breaks off what is under way, so that the connection can be used again. */
  cancel(): Promise<void>
}

export interface Sealed {
  readonly rows: number
  readonly hash: string
  readonly repeated: number
}

/** Sent at once. */
const CHUNK = 1 << 16

/** Starts a release aside, over the connection that has the write lock, and which is taken up by it until it is sealed. */
export async function startAside(client: Client, tables: ReleaseTables, layout: Layout): Promise<Aside> {
  const { named } = tables
  const shape = shapeOf(layout)
  const hash = releaseHash()
  let rows = 0
  let lines = ''
  await makeRoom(client)
  // It does not outlive the import, so a crash may take it.
  await client.query(`
    create unlogged table ${named('appended')}
      (position integer not null, key uuid not null, digest uuid not null, ${shape.declarations.join(', ')})`)
  let copy: CopyIn | undefined = await startCopy(client, `copy ${named('appended')} from stdin`)

  return {
    append(key, record) {
      if (copy === undefined) throw new Error('the release is sealed: nothing can be added to it')
      const content = contentOf(record)
      const cells = shape.cells(record, content)
      lines += `${++rows}\t${shortDigestHex(key)}\t${shortDigestHex(content)}\t${copyLine(cells)}`
      hash.add(content)
      if (lines.length < CHUNK) return undefined
      const chunk = lines
      lines = ''
      return copy.write(chunk)
    },
    async seal(onPhase) {
      if (copy === undefined) throw new Error('the release is sealed already')
      await copy.write(lines)
      await copy.end()
      copy = undefined
      onPhase?.('sorting and indexing')
      await client.query(`analyze ${named('appended')}`)
      const parts = await shape.finish(client, tables)
      onPhase?.('gathering what to compare it by')
      const different = await writeContents(client, tables)
      await client.query(`drop table ${named('appended')}`)
      onPhase?.('tidying up')
      // Also tells which pages all can see, without which an index alone answers nothing; it never need be done again.
      for (const part of parts) await client.query(`vacuum (freeze, analyze) ${named(part)}`)
      // They are read once, whole: what else vacuuming brings can wait until the server does it by itself.
      await client.query(`analyze ${named('contents')}`)
      return { rows, hash: hash.digest(), repeated: rows - different }
    },
    async cancel() {
      await copy?.cancel()
      copy = undefined
    },
  }
}

/**
 * Sorting in memory is several times as fast, and there is one import at a time; a server that gives more is left so.
 * Servers that can (14 and later) look now and then whether the import is still there, so that a long statement of one
 * that was killed does not go on.
 */
async function makeRoom(client: Client): Promise<void> {
  for (const [name, value] of [
    ['work_mem', 128 * KIB_A_MIB],
    ['maintenance_work_mem', 512 * KIB_A_MIB],
    ['client_connection_check_interval', 2000],
  ])
    await client.query(
      `select set_config(name, $2, false) from pg_catalog.pg_settings
        where case name when $1 then setting::bigint < $2::bigint end`,
      [name, value],
    )
}

/** The server counts memory in KiB, and time in milliseconds. */
const KIB_A_MIB = 1024

/** Keeps of each record which it is and what it says, sixteen bytes each, for comparing releases; gives how many differ. */
async function writeContents(client: Client, { named }: ReleaseTables): Promise<number> {
  const { rowCount } = await client.query(`
    create table ${named('contents')} as
      select key, digest, count(*)::integer as copies from ${named('appended')} group by key, digest`)
  return rowCount ?? 0
}
