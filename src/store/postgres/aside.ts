import type { Client } from 'pg'
import { contentOf, releaseHash, shortDigest } from '../content.ts'
import type { Layout, StoredRecord } from '../layout.ts'
import { type CopyIn, startCopy } from './copy-in.ts'
import { copyLine } from './copy-text.ts'
import type { ReleaseTables } from './release-tables.ts'
import { shapeOf } from './shape.ts'

/** The tables of a release that is being written; nobody else knows their names. */
export interface Aside {
  append(key: string, record: StoredRecord): Promise<void>
  /** Builds the release out of what was appended. */
  seal(): Promise<Sealed>
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
    async append(key, record) {
      if (copy === undefined) throw new Error('the release is sealed: nothing can be added to it')
      const content = contentOf(record)
      const cells = shape.cells(record, content)
      lines += copyLine([++rows, hex(shortDigest(key)), hex(shortDigest(content)), ...cells])
      hash.add(content)
      if (lines.length < CHUNK) return
      const chunk = lines
      lines = ''
      await copy.write(chunk)
    },
    async seal() {
      if (copy === undefined) throw new Error('the release is sealed already')
      await copy.write(lines)
      await copy.end()
      copy = undefined
      await client.query(`analyze ${named('appended')}`)
      const parts = await shape.finish(client, tables)
      const different = await writeContents(client, tables)
      await client.query(`drop table ${named('appended')}`)
      // Also tells which pages all can see, without which an index alone answers nothing; it never need be done again.
      for (const part of [...parts, 'contents']) await client.query(`vacuum (freeze, analyze) ${named(part)}`)
      return { rows, hash: hash.digest(), repeated: rows - different }
    },
    async cancel() {
      await copy?.cancel()
      copy = undefined
    },
  }
}

const hex = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')

/**
 * Sorting in memory is several times as fast, and there is one import at a time. Servers that can (14 and later) look
 * now and then whether the import is still there, so that a long statement of one that was killed does not go on.
 */
async function makeRoom(client: Client): Promise<void> {
  for (const [name, value] of [
    ['work_mem', '128MB'],
    ['maintenance_work_mem', '256MB'],
    ['client_connection_check_interval', '2s'],
  ])
    await client.query(
      'select set_config(name, $2, false) from pg_catalog.pg_settings where name = $1 and setting <> $2',
      [name, value],
    )
}

/** Keeps of each record which it is and what it says, sixteen bytes each, for comparing releases; gives how many differ. */
async function writeContents(client: Client, { named }: ReleaseTables): Promise<number> {
  await client.query(`
    create table ${named('contents')} as
      select key, digest, count(*)::integer as copies from ${named('appended')} group by key, digest`)
  const { rows } = await client.query<{ n: number }>(`select count(*) as n from ${named('contents')}`)
  return rows[0]?.n ?? 0
}
