import { sql } from 'kysely'
import type { Layout } from '../../../query/layout.ts'
import { contentOf } from '../../encoding/content.ts'
import type { KeptRelease } from '../../registry/releases.ts'
import type { Registry } from '../../registry/tables.ts'
import { damaged, openReleaseFile, verifyReleaseFile } from '../../releases/release-file.ts'
import { DamagedReleaseError, type OpenRelease } from '../../store.ts'
import { toReadError } from '../connect/faults.ts'
import type { Servers } from '../connect/servers.ts'
import { registryOver } from '../connect/session.ts'
import { openPieces } from '../pieces.ts'
import { rowsCollection } from '../rows/rows-collection.ts'
import { rowsOf } from '../write/release-tables.ts'
import { releaseReader } from './release-reader.ts'

/** Opens a release: from its file into memory, or its rows once their number is verified. */
export const openRelease = (servers: Servers, kept: KeptRelease, layout: Layout): Promise<OpenRelease> =>
  tryingPrimary(servers, kept, async (content, long, schema) => {
    const { release, name } = kept
    if (release.bytes !== null) return openReleaseFile(kept, layout, openPieces(content, kept, release.bytes))
    await verifyRows(long, schema, kept)
    if (layout.kind !== 'table') throw damaged(release, 'a list has no rows')
    const table = rowsCollection(content, rowsOf(schema, name), layout, release.rows, long)
    async function* batches() {
      for await (const batch of (await table.execute({})).batches()) yield batch.records()
    }
    return {
      ...{ release, table },
      async *records() {
        for await (const records of batches()) yield* records
      },
      async *contents() {
        for await (const records of batches()) yield records.map(contentOf)
      },
    }
  })

/** Throws {@link DamagedReleaseError} unless the content is what was published. */
export const verifyRelease = (servers: Servers, kept: KeptRelease): Promise<void> =>
  tryingPrimary(servers, kept, (content, long, schema) =>
    kept.release.bytes === null
      ? verifyRows(long, schema, kept)
      : verifyReleaseFile(kept, openPieces(content, kept, kept.release.bytes)),
  )

/**
 * Does work over connections for short statements, and over others for those that read all rows. Only the primary can prove that
 * anything is missing.
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
