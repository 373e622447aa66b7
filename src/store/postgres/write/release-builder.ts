import type { Client } from 'pg'
import type { StoredRecord } from '../../../query/query.ts'
import { contentOf, releaseHash } from '../../encoding/content.ts'
import type { Layout } from '../../layout.ts'
import type { Target } from '../connect/address.ts'
import { copyEncoder } from './copy-encoder.ts'
import { type CopyIn, startCopy } from './copy-in.ts'
import { physicalSchema } from './physical-schema.ts'
import type { ReleaseTables } from './release-tables.ts'
import { openWorkerConnections, type WorkerConnections } from './worker-connections.ts'

/** The tables of an unpublished release, whose names no one else knows. */
export interface ReleaseBuilder {
  /** Returns a promise while the server is behind. */
  append(key: string, record: StoredRecord, json?: string): Promise<void> | undefined
  /** Builds the release from the appended records, reporting each long step. */
  seal(onPhase?: (phase: string) => void): Promise<Sealed>
  /** Aborts running statements, so that the connection can be used again. */
  cancel(): Promise<void>
}

export interface Sealed {
  readonly rows: number
  readonly hash: string
  readonly repeated: number
}

/** Starts a release over the connection of the write lock, which is busy until the release is sealed. */
export async function startRelease(
  target: Target,
  client: Client,
  tables: ReleaseTables,
  layout: Layout,
): Promise<ReleaseBuilder> {
  const { named } = tables
  const physical = physicalSchema(layout)
  const hash = releaseHash()
  let rows = 0
  // It is needed only during the import, so a crash may lose it.
  await client.query(`
    create unlogged table ${named('appended')}
      (position integer not null, key uuid not null, digest uuid not null, ${physical.declarations.join(', ')})`)
  let copy: CopyIn | undefined = await startCopy(client, `copy ${named('appended')} from stdin`)
  const lines = copyEncoder(layout, text => copy?.write(text))
  let workers: WorkerConnections | undefined
  let sealing: Promise<unknown> | undefined
  let isCancelled = false

  async function seal(onPhase: (phase: string) => void = () => {}): Promise<Sealed> {
    if (copy === undefined) throw new Error('the release is sealed already')
    const dictionaries = await lines.end()
    await copy.end()
    copy = undefined
    const opened = await openWorkerConnections(target, client, rows)
    try {
      if (isCancelled) throw new Error('the release was given up')
      workers = opened
      const run = (statement: string) => opened.runFirst(one => one.query(statement))
      onPhase('sorting')
      await run(`analyze ${named('appended')}`)
      const [, different = 0] = await opened.runAll([
        one => physical.arrange(one, tables),
        one => writeContents(one, tables),
      ])
      await run(`drop table ${named('appended')}`)
      onPhase('indexing and counting')
      const parts = await physical.finish(opened, tables, { rows, dictionaries })
      onPhase('tidying up')
      // Also sets the visibility map, which index-only scans need; the rows never change, so once is enough.
      await opened.runAll(parts.map(part => one => one.query(`vacuum (freeze, analyze) ${named(part)}`)))
      return { rows, hash: hash.digest(), repeated: rows - different }
    } finally {
      workers = undefined
      await opened.end()
    }
  }

  return {
    append(key, record, json) {
      if (copy === undefined) throw new Error('the release is sealed: nothing can be added to it')
      const content = json ?? contentOf(record)
      const added = lines.add(key, content, record)
      hash.add(content)
      rows++
      return added
    },
    seal(onPhase) {
      const sealed = seal(onPhase)
      sealing = sealed.catch(() => undefined)
      return sealed
    },
    async cancel() {
      isCancelled = true
      await lines.cancel()
      await copy?.cancel()
      copy = undefined
      await workers?.cancel()
      await sealing
    },
  }
}

/**
 * Stores the digests of each record's key and content, 16 bytes each, for comparing releases; resolves to the number of
 * distinct pairs.
 */
async function writeContents(client: Client, { named }: ReleaseTables): Promise<number> {
  const { rowCount } = await client.query(`
    create table ${named('contents')} as
      select key, digest, count(*)::integer as copies from ${named('appended')} group by key, digest`)
  // They are read once, whole, so the rest of vacuuming can be left to autovacuum.
  await client.query(`analyze ${named('contents')}`)
  return rowCount ?? 0
}
