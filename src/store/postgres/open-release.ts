import { sql } from 'kysely'
import type { Layout } from '../../query/layout.ts'
import { within } from '../../values/promises.ts'
import { contentOf } from '../encoding/content.ts'
import type { KeptRelease } from '../registry/releases.ts'
import type { Registry } from '../registry/tables.ts'
import { damaged, openReleaseFile, verifyReleaseFile } from '../releases/release-file.ts'
import { DamagedReleaseError, type OpenRelease, StoreUnusableError } from '../store.ts'
import {
  type Connections,
  LONG_MS,
  type Rows,
  type Server,
  type Servers,
  silence,
} from './connect/connections.ts'
import { isDamage, isTransient, toReadError } from './connect/faults.ts'
import { registryOver } from './connect/session.ts'
import { openPieces } from './pieces.ts'
import { rowsOf } from './release-tables.ts'
import { rowsCollection } from './rows/rows-collection.ts'

/** Opens a release: reads its file into memory, or verifies the number of its rows. */
export const openRelease = (
  servers: Servers,
  kept: KeptRelease,
  layout: Layout,
  isBeside?: boolean,
): Promise<OpenRelease> =>
  tryingPrimary(servers, kept, async (content, long, schema) => {
    const { release, name } = kept
    if (release.bytes !== null)
      return openReleaseFile(kept, layout, openPieces(content, kept, release.bytes), isBeside)
    await verifyRows(long, schema, kept)
    if (layout.kind !== 'table') throw damaged(release, 'a list has no rows')
    const table = rowsCollection(content, rowsOf(schema, name), layout, release.rows, long)
    async function* batches() {
      for await (const batch of (await table.execute({})).batches()) yield batch.records()
    }
    return {
      release,
      table,
      async *records() {
        for await (const records of batches()) yield* records
      },
      async *contents() {
        for await (const records of batches()) yield records.map(contentOf)
      },
    }
  })

/** Throws {@link DamagedReleaseError} unless the content is as published. */
export const verifyRelease = (servers: Servers, kept: KeptRelease): Promise<void> =>
  tryingPrimary(servers, kept, (content, long, schema) =>
    kept.release.bytes === null
      ? verifyRows(long, schema, kept)
      : verifyReleaseFile(kept, openPieces(content, kept, kept.release.bytes)),
  )

/**
 * Does work over connections for short statements, and `long` connections for statements that read all rows. Repeats the work on
 * the primary if a reader's release seems damaged: only the primary can prove that content is missing.
 */
async function tryingPrimary<T>(
  servers: Servers,
  { name }: KeptRelease,
  work: (content: Registry, long: Registry, schema: string) => Promise<T>,
): Promise<T> {
  const { primary, reader } = servers
  const over = (connections: ReturnType<typeof releaseReader>) =>
    registryOver(connections, primary.target, toReadError)
  const workWith = (servers: Servers) =>
    work(over(releaseReader(servers, name)), over(releaseReader(servers, name, true)), primary.target.schema)
  try {
    return await workWith(servers)
  } catch (error) {
    if (!(error instanceof DamagedReleaseError) || reader === undefined) throw error
    return workWith({ primary, reader: undefined })
  }
}

/** Throws {@link DamagedReleaseError} unless the release has as many rows as were published. */
async function verifyRows(content: Registry, schema: string, { name, release }: KeptRelease): Promise<void> {
  const { rows } = await sql<{ n: number }>`select count(*) as n from ${rowsOf(schema, name)}`
    .execute(content)
    .catch((error: unknown) => {
      throw error instanceof DamagedReleaseError
        ? damaged(release, 'its table is missing or cannot be read', error)
        : error
    })
  const n = rows[0]?.n
  if (n !== release.rows) throw damaged(release, `it has ${n} rows and was published with ${release.rows}`)
}

/** A request fails this long after the time limit of a statement, however many servers it has asked. */
const ELSEWHERE_MS = 400

/**
 * Returns connections for single statements on one release: to the reader first, then to the primary, each twice after
 * transient errors. A standby that has not applied the publication yet may have half of the content, and is skipped. Only the
 * primary can prove that content is missing. `long` means the same as in {@link Server.connect}.
 */
export function releaseReader({ primary, reader }: Servers, name: string, long = false): Connections {
  const { schema, statementMs } = primary.target
  const servers = reader === undefined ? [primary] : [reader, primary]
  /** Connections to a reader with the release. Another connection may lead to a standby without it. */
  const entered = new WeakSet<object>()

  async function has({ session, query }: Awaited<ReturnType<Server['connect']>>): Promise<boolean> {
    if (entered.has(session)) return true
    // A pruned release has a row as long as its content remains.
    const { rows } = await query(`select 1 from "${schema}".release_files where name = $1`, [name])
    if (rows.length > 0) entered.add(session)
    return rows.length > 0
  }

  /** Asks one server; undefined if it lacks the release. */
  async function ask(server: Server, text: string, values?: readonly unknown[]): Promise<Rows | undefined> {
    const connection = await server.connect({ long })
    try {
      if (server !== primary && !(await has(connection))) return undefined
      return await connection.query(text, values)
    } finally {
      connection.release()
    }
  }

  async function query(text: string, values?: readonly unknown[]): Promise<Rows> {
    let failure: unknown = new StoreUnusableError('no reachable server has the release yet')
    const deadline = performance.now() + (long ? LONG_MS : statementMs) + ELSEWHERE_MS
    for (const server of [...servers, ...servers]) {
      const leftMs = deadline - performance.now()
      if (leftMs <= 0) break
      try {
        const rows = await within(leftMs, ask(server, text, values), silence)
        if (rows !== undefined) return rows
      } catch (error) {
        if (server !== primary && isDamage(error)) continue
        if (!isTransient(error)) throw error
        failure = error
      }
    }
    throw failure
  }

  return { connect: async () => ({ query, release() {} }) }
}
