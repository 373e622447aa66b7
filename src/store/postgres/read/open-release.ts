import { type Kysely, sql } from 'kysely'
import type { Layout } from '../../../query/layout.ts'
import { contentOf } from '../../encoding/content.ts'
import type { KeptRelease } from '../../registry/releases.ts'
import type { RegistryTables } from '../../registry/tables.ts'
import { damaged, openReleaseFile, verifyReleaseFile } from '../../releases/release-file.ts'
import { DamagedReleaseError, type OpenRelease } from '../../store.ts'
import type { Connections } from '../connect/connections.ts'
import { kyselyOver } from '../connect/dialect.ts'
import { toReadError } from '../connect/faults.ts'
import type { Servers } from '../connect/servers.ts'
import { openPieces } from '../pieces.ts'
import { rowsCollection } from '../rows/rows-collection.ts'
import { records } from '../rows/stored-rows.ts'
import { releaseTables } from '../write/release-tables.ts'
import { releaseReader } from './release-reader.ts'

/** The tables of a store, for reading the content of a release. */
export type ContentReader = Kysely<RegistryTables>

/** Opens a release: from its file into memory, or its rows once their number is verified. */
export async function openRelease(servers: Servers, kept: KeptRelease, layout: Layout): Promise<OpenRelease> {
  const { schema } = servers.primary.target
  return tryingPrimary(servers, kept, (reader, long) => openWith(reader, schema, kept, layout, long))
}

/** Throws {@link DamagedReleaseError} unless the content is what was published. */
export async function verifyRelease(servers: Servers, kept: KeptRelease): Promise<void> {
  const { bytes } = kept.release
  await tryingPrimary(servers, kept, async (reader, long) => {
    if (bytes === null) await verifyRows(long, servers.primary.target.schema, kept)
    else await verifyReleaseFile(kept, openPieces(reader, kept, bytes))
  })
}

/** Opens a release over these connections; statements that read all rows are over those for `long` work. */
export async function openWith(
  database: ContentReader,
  schema: string,
  kept: KeptRelease,
  layout: Layout,
  long = database,
): Promise<OpenRelease> {
  const { release, name } = kept
  if (release.bytes !== null) return openReleaseFile(kept, layout, openPieces(database, kept, release.bytes))
  await verifyRows(long, schema, kept)
  if (layout.kind !== 'table') throw damaged(release, 'a list has no rows')
  return {
    release,
    table: rowsCollection(database, schema, name, layout, release.rows, long),
    records: () => records(database, schema, name, layout),
    async *contents() {
      for await (const record of records(database, schema, name, layout)) yield [contentOf(record)]
    },
  }
}

/** Only the primary can prove that anything is missing. */
async function tryingPrimary<T>(
  { primary, reader }: Servers,
  { name }: KeptRelease,
  work: (reader: ContentReader, long: ContentReader) => Promise<T>,
): Promise<T> {
  const { target } = primary
  const readerOver = (connections: Connections): ContentReader =>
    kyselyOver<RegistryTables>(connections, error => toReadError(error, target)).withSchema(target.schema)
  const workWith = (servers: Servers) =>
    work(readerOver(releaseReader(servers, name)), readerOver(releaseReader(servers, name, true)))
  try {
    return await workWith({ primary, reader })
  } catch (error) {
    if (!(error instanceof DamagedReleaseError) || reader === undefined) throw error
    return workWith({ primary, reader: undefined })
  }
}

/** Throws {@link DamagedReleaseError} unless the release has as many rows as were published. */
async function verifyRows(
  database: ContentReader,
  schema: string,
  { name, release }: KeptRelease,
): Promise<void> {
  const rows = releaseTables(schema, name)
  const { rows: found } = await sql`
    select 1 from pg_catalog.pg_tables where schemaname = ${schema} and tablename = ${rows.name('rows')}`.execute(
    database,
  )
  if (found.length === 0) throw damaged(release, 'its table is missing')
  const counted = await sql<{ n: number }>`select count(*) as n from ${rows.table('rows')}`.execute(database)
  const n = Number(counted.rows[0]?.n)
  if (n !== release.rows) throw damaged(release, `it has ${n} rows and was published with ${release.rows}`)
}
