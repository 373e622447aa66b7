import { type Kysely, sql } from 'kysely'
import type { Layout } from '../../../query/layout.ts'
import type { KeptRelease } from '../../registry/releases.ts'
import type { RegistryTables } from '../../registry/tables.ts'
import { damaged, openReleaseFile, verifyReleaseFile } from '../../releases/release-file.ts'
import { DamagedReleaseError, type OpenRelease } from '../../store.ts'
import { type Connections, connectionsOf } from '../connect/connections.ts'
import { kyselyOver } from '../connect/dialect.ts'
import { toReadError } from '../connect/faults.ts'
import type { Topology } from '../connect/topology.ts'
import { openPieces } from '../pieces.ts'
import { rowsCollection } from '../rows/rows-collection.ts'
import { records } from '../rows/stored-rows.ts'
import { releaseTables } from '../write/release-tables.ts'
import { releaseReader } from './release-reader.ts'

/** The tables of a store, for reading the content of a release. */
export type ContentReader = Kysely<RegistryTables>

/** Opens a release: from its file into memory, or its rows once their number is verified. */
export async function openRelease(
  topology: Topology,
  kept: KeptRelease,
  layout: Layout,
): Promise<OpenRelease> {
  const database = readerOver(topology, releaseReader(topology, kept.name))
  const { schema } = topology.primary.target
  return tryingPrimary(topology, database, reader => openWith(reader, schema, kept, layout))
}

/** Throws {@link DamagedReleaseError} unless the content is what was published. */
export async function verifyRelease(topology: Topology, kept: KeptRelease): Promise<void> {
  const { schema } = topology.primary.target
  const database = readerOver(topology, releaseReader(topology, kept.name))
  await tryingPrimary(topology, database, reader => verifyWith(reader, schema, kept))
}

/** Opens a release over these connections. */
export async function openWith(
  database: ContentReader,
  schema: string,
  kept: KeptRelease,
  layout: Layout,
): Promise<OpenRelease> {
  const { release, name } = kept
  if (release.bytes !== null) return openReleaseFile(kept, layout, openPieces(database, kept, release.bytes))
  await verifyRows(database, schema, kept)
  if (layout.kind !== 'table') throw damaged(release, 'a list has no rows')
  return {
    release,
    table: rowsCollection(database, schema, name, layout, release.rows),
    records: () => records(database, schema, name, layout),
  }
}

async function verifyWith(database: ContentReader, schema: string, kept: KeptRelease): Promise<void> {
  const { bytes } = kept.release
  if (bytes === null) await verifyRows(database, schema, kept)
  else await verifyReleaseFile(kept, openPieces(database, kept, bytes))
}

/** Only the primary can prove that anything is missing. */
async function tryingPrimary<T>(
  topology: Topology,
  database: ContentReader,
  work: (database: ContentReader) => Promise<T>,
): Promise<T> {
  try {
    return await work(database)
  } catch (error) {
    const { primary, replicas } = topology
    if (!(error instanceof DamagedReleaseError) || replicas === undefined) throw error
    return work(readerOver(topology, connectionsOf(primary, 'reading')))
  }
}

const readerOver = ({ primary: { target } }: Topology, connections: Connections): ContentReader =>
  kyselyOver<RegistryTables>(connections, error => toReadError(error, target)).withSchema(target.schema)

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
