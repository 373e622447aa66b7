import { sql } from 'kysely'
import { openReleaseOver } from '../../open-release.ts'
import { sumsText } from '../../transfer/record-digest.ts'
import type { StoreMoment } from '../../transfer/store-dump.ts'
import type { Target } from '../connect/address.ts'
import { connectAlone } from '../connect/client.ts'
import { kyselyOver, singleConnection } from '../connect/dialect.ts'
import { toReadError, toStoreError } from '../connect/faults.ts'
import { MIGRATIONS } from '../migrate.ts'
import { columnScan } from '../read/column-scan.ts'
import { verifyRows } from '../read/open-release.ts'
import { tableEngine } from '../read/table-engine.ts'
import { registryOver } from '../registry.ts'
import { lockReleases, releaseTables } from '../write/release-tables.ts'
import { registryTablesOf } from './tables.ts'

/**
 * Opens the store of a database as it is now, by one transaction over its own connection. It locks the tables of all
 * releases against being dropped, and nothing else.
 */
export async function openMoment(target: Target): Promise<StoreMoment> {
  const { schema } = target
  const client = await connectAlone(target).catch((error: unknown) => {
    throw toStoreError(error, target)
  })
  const connection = singleConnection(client)
  const registry = registryOver(connection, target)
  const database = kyselyOver<unknown>(connection, error => toReadError(error, target))
  try {
    await client.query('begin isolation level repeatable read, read only')
    await lockReleases(registry, schema)
    return {
      header: { at: new Date().toISOString(), engine: 'postgres', schema: MIGRATIONS.length },
      registry,
      schema,
      tables: await registryTablesOf(registry, schema),
      async open(kept, { layout }) {
        // A release that cannot be read must not end the transaction.
        await sql`savepoint release`.execute(database)
        const close = async () => void (await sql`rollback to savepoint release`.execute(database))
        try {
          await verifyRows(database, schema, kept)
          const tables = releaseTables(schema, kept.locator)
          const { rows } = await sql<{ sums: number[] }>`
            select array[${sql.join([1, 9, 17, 25].map(sumFrom))}] as sums
            from (select replace(digest::text, '-', '') as digits, copies from ${tables.table('digests')}) as digests`.execute(
            database,
          )
          const engine = tableEngine(database, schema, kept.locator)
          const scan = (table: Parameters<typeof columnScan>[2]) => columnScan(database, tables, table)
          return {
            ...openReleaseOver(engine, kept.release, layout, { scan, close }),
            digest: sumsText(rows[0]?.sums ?? []),
          }
        } catch (error) {
          await close()
          throw error
        }
      },
      close: () => client.end().catch(() => undefined),
    }
  } catch (error) {
    await client.end().catch(() => undefined)
    throw toStoreError(error, target)
  }
}

/** The sum of the 32 bits from a hexadecimal digit on. */
const sumFrom = (digit: number) => sql`
  coalesce(mod(sum(('x' || substr(digits, ${sql.lit(digit)}, 8))::bit(32)::bigint * copies), 4294967296), 0)::float8`
