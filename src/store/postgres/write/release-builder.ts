import type { Client } from 'pg'
import type { StoredRecord } from '../../../query/query.ts'
import { contentOf, releaseHash } from '../../encoding/content.ts'
import type { Layout } from '../../layout.ts'
import type { Target } from '../connect/address.ts'
import { linesOut } from './copy-encoder.ts'
import { type CopyIn, startCopy } from './copy-in.ts'
import { shapeOf } from './physical-schema.ts'
import type { ReleaseTables } from './release-tables.ts'
import { type Lanes, openLanes } from './worker-connections.ts'

/** The tables of a release that is being written; nobody else knows their names. */
export interface Aside {
  /** Gives a promise where the server is behind. */
  append(key: string, record: StoredRecord, json?: string): Promise<void> | undefined
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

/** Starts a release aside, over the connection that has the write lock, and which is taken up by it until it is sealed. */
export async function startAside(
  target: Target,
  client: Client,
  tables: ReleaseTables,
  layout: Layout,
): Promise<Aside> {
  const { named } = tables
  const shape = shapeOf(layout)
  const hash = releaseHash()
  let rows = 0
  // It does not outlive the import, so a crash may take it.
  await client.query(`
    create unlogged table ${named('appended')}
      (position integer not null, key uuid not null, digest uuid not null, ${shape.declarations.join(', ')})`)
  let copy: CopyIn | undefined = await startCopy(client, `copy ${named('appended')} from stdin`)
  const lines = linesOut(layout, text => copy?.write(text))
  let lanes: Lanes | undefined
  let sealing: Promise<unknown> | undefined
  let isCancelled = false

  async function seal(onPhase: (phase: string) => void = () => {}): Promise<Sealed> {
    if (copy === undefined) throw new Error('the release is sealed already')
    const dictionaries = await lines.end()
    await copy.end()
    copy = undefined
    const opened = await openLanes(target, client, rows)
    try {
      if (isCancelled) throw new Error('the release was given up')
      lanes = opened
      const run = (statement: string) => opened.alone(one => one.query(statement))
      onPhase('sorting')
      await run(`analyze ${named('appended')}`)
      const [, different = 0] = await opened.share([
        one => shape.arrange(one, tables),
        one => writeContents(one, tables),
      ])
      await run(`drop table ${named('appended')}`)
      onPhase('indexing and counting')
      const parts = await shape.finish(opened, tables, { rows, dictionaries })
      onPhase('tidying up')
      // Also tells which pages all can see, without which an index alone answers nothing; it never need be done again.
      await opened.share(parts.map(part => one => one.query(`vacuum (freeze, analyze) ${named(part)}`)))
      return { rows, hash: hash.digest(), repeated: rows - different }
    } finally {
      lanes = undefined
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
      await lanes?.cancel()
      await sealing
    },
  }
}

/** Keeps of each record which it is and what it says, sixteen bytes each, for comparing releases; gives how many differ. */
async function writeContents(client: Client, { named }: ReleaseTables): Promise<number> {
  const { rowCount } = await client.query(`
    create table ${named('contents')} as
      select key, digest, count(*)::integer as copies from ${named('appended')} group by key, digest`)
  // They are read once, whole: what else vacuuming brings can wait until the server does it by itself.
  await client.query(`analyze ${named('contents')}`)
  return rowCount ?? 0
}
