import { type Kysely, sql } from 'kysely'
import type { Layout } from '../../layout.ts'
import { openReleaseOver } from '../../open-release.ts'
import type { KeptRelease } from '../../registry/releases.ts'
import { DamagedReleaseError, type OpenRelease } from '../../store.ts'
import { connectionsOf } from '../connect/connections.ts'
import { kyselyOver } from '../connect/dialect.ts'
import { toReadError } from '../connect/faults.ts'
import type { Topology } from '../connect/topology.ts'
import { releaseTables } from '../write/release-tables.ts'
import { columnScan } from './column-scan.ts'
import { releaseReader } from './release-reader.ts'
import { tableEngine } from './table-engine.ts'

/** Opens a release for reading, once its row count is verified. */
export async function openRelease(
  topology: Topology,
  kept: KeptRelease,
  layout: Layout,
): Promise<OpenRelease> {
  const { primary, replicas } = topology
  const { schema } = primary.target
  const explain = (error: unknown) => toReadError(error, primary.target)
  const database = kyselyOver<unknown>(releaseReader(topology, kept.locator), explain)
  await verifyRows(database, schema, kept).catch((error: unknown) => {
    // Only the primary can prove that anything is missing.
    if (!(error instanceof DamagedReleaseError) || replicas === undefined) throw error
    return verifyRows(kyselyOver(connectionsOf(primary, 'reading'), explain), schema, kept)
  })
  return openReleaseOver(tableEngine(database, schema, kept.locator), kept.release, layout, {
    scan: table => columnScan(database, releaseTables(schema, kept.locator), table),
    close: async () => {},
  })
}

/** Throws {@link DamagedReleaseError} unless the release has as many rows as were published. */
export async function verifyRows(
  database: Kysely<unknown>,
  schema: string,
  { locator, release }: KeptRelease,
): Promise<void> {
  const damaged = (what: string) =>
    new DamagedReleaseError(
      `release ${release.number} of ${release.dataset} is damaged: ${what}; go back to another release or import again`,
    )
  const { name } = releaseTables(schema, locator)
  const { rows: found } = await sql<{ name: string }>`
    select tablename as name from pg_catalog.pg_tables
    where schemaname = ${schema} and tablename in (${name('rows')}, ${name('documents')})`.execute(database)
  const [table] = found
  if (table === undefined) throw damaged('its table is missing')
  const count = sql<{ n: number }>`select count(*) as n from ${sql.id(schema, table.name)}`
  const [counted] = (await count.execute(database)).rows
  if (counted?.n !== release.rows)
    throw damaged(`it has ${counted?.n} rows and was published with ${release.rows}`)
}
