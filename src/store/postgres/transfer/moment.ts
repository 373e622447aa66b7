import { sql } from 'kysely'
import type { RegistryTables } from '../../registry/tables.ts'
import type { StoreMoment } from '../../transfer/store-lines.ts'
import { readAddress } from '../connect/address.ts'
import { connectAlone } from '../connect/connections.ts'
import { kyselyOver, singleConnection } from '../connect/dialect.ts'
import { toReadError, toStoreError } from '../connect/faults.ts'
import { openWith } from '../read/open-release.ts'
import { registryOver } from '../registry.ts'
import { MIGRATIONS, prepareSchema } from '../schema.ts'
import { lockReleases } from '../write/release-tables.ts'

/**
 * Opens the store of a database as it is now, by one transaction over its own connection. It locks the tables of all
 * releases against being dropped, and nothing else.
 */
export async function openMoment(address: string): Promise<StoreMoment> {
  const target = readAddress(address)
  const { schema } = target
  await prepareSchema(target, { mustExist: true })
  const client = await connectAlone(target).catch((error: unknown) => {
    throw toStoreError(error, target)
  })
  const connection = singleConnection(client)
  const registry = registryOver(connection, target)
  const database = kyselyOver<RegistryTables>(connection, error => toReadError(error, target)).withSchema(
    schema,
  )
  try {
    await client.query('begin isolation level repeatable read, read only')
    await lockReleases(registry, schema)
    return {
      header: { at: new Date().toISOString(), engine: 'postgres', schema: MIGRATIONS.length },
      registry,
      async open(kept, { layout }) {
        // A release that cannot be read must not end the transaction.
        await sql`savepoint release`.execute(database)
        async function goBack(error: unknown): Promise<never> {
          await sql`rollback to savepoint release`.execute(database)
          throw error
        }
        const opened = await openWith(database, schema, kept, layout).catch(goBack)
        return {
          ...opened,
          async *contents() {
            try {
              yield* opened.contents()
            } catch (error) {
              await goBack(error)
            }
          },
        }
      },
      close: () => client.end().catch(() => undefined),
    }
  } catch (error) {
    await client.end().catch(() => undefined)
    throw toStoreError(error, target)
  }
}
