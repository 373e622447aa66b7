import { type Kysely, sql } from 'kysely'
import type { Collection } from '../../../query/collection.ts'
import type { StoredRecord } from '../../../query/query.ts'
import type { Layout } from '../../layout.ts'
import { DamagedReleaseError, type OpenRelease } from '../../store.ts'
import { tableCollection } from '../../table/queries.ts'
import type { Target } from '../connect/address.ts'
import { connectionsOf } from '../connect/connections.ts'
import { kyselyOver } from '../connect/dialect.ts'
import { toReadError } from '../connect/faults.ts'
import type { Topology } from '../connect/replicas.ts'
import type { KeptRelease } from '../release-rows.ts'
import { releaseTables } from '../write/release-tables.ts'
import { columnScan } from './column-scan.ts'
import { releaseReader } from './release-reader.ts'
import { tableEngine } from './table-engine.ts'

/** Opens a release for reading, once its row count is verified. */
export async function openRelease(
  topology: Topology,
  { id, release }: KeptRelease,
  layout: Layout,
): Promise<OpenRelease> {
  const { primary } = topology
  const { target } = primary
  const explain = (error: unknown) => toReadError(error, target)
  const database = kyselyOver<unknown>(releaseReader(topology, id), explain)
  const tables = releaseTables(target.schema, id)
  await verifyRows(database, target, { id, release }).catch(async (error: unknown) => {
    // Only the primary can prove that anything is missing.
    if (!(error instanceof DamagedReleaseError) || topology.replicas === undefined) throw error
    const there = kyselyOver<unknown>(connectionsOf(primary, 'reading'), explain)
    await verifyRows(there, target, { id, release })
  })
  const close = async () => {}
  if (layout.kind === 'documents') return { release, records: documents, close }
  const table = tableCollection(tableEngine(database, target.schema, id), layout, release.rows)
  const scan = columnScan(database, tables, layout)
  return { release, table, scan, records: () => tableRecords(table), close }

  async function* documents(): AsyncGenerator<StoredRecord> {
    for (let after = 0; after < release.rows; after += BATCH) {
      const { rows } = await sql<{ content: string }>`
        select content from ${tables.table('documents')}
        where position between ${after + 1} and ${after + BATCH} order by position
      `.execute(database)
      for (const { content } of rows) yield JSON.parse(content) as StoredRecord
    }
  }
}

/** Throws {@link DamagedReleaseError} unless the release has as many rows as were published. */
export async function verifyRows(
  database: Kysely<unknown>,
  { schema }: Pick<Target, 'schema'>,
  { id, release }: KeptRelease,
): Promise<void> {
  const damaged = (what: string) =>
    new DamagedReleaseError(
      `release ${release.number} of ${release.dataset} is damaged: ${what}; go back to another release or import again`,
    )
  const parts = RECORDS.map(part => `r${id}_${part}`)
  const { rows: found } = await sql<{ name: string }>`
    select tablename as name from pg_catalog.pg_tables where schemaname = ${schema} and tablename in (${sql.join(parts)})
  `.execute(database)
  const [table] = found
  if (table === undefined) throw damaged('its table is missing')
  const count = sql<{ n: number }>`select count(*) as n from ${sql.id(schema, table.name)}`
  const [counted] = (await count.execute(database)).rows
  if (counted?.n !== release.rows)
    throw damaged(`it has ${counted?.n} rows and was published with ${release.rows}`)
}

/** The tables that hold the records, by layout. */
const RECORDS = ['rows', 'documents']

/** Records in one batch, which bounds memory. */
const BATCH = 1000

async function* tableRecords(table: Collection): AsyncGenerator<StoredRecord> {
  for await (const batch of (await table.execute({})).batches()) yield* batch.records()
}
