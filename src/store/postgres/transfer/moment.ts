import { sql } from 'kysely'
import type { StoreMoment } from '../../transfer/store-lines.ts'
import { readAddress } from '../connect/address.ts'
import { openSession } from '../connect/session.ts'
import { openWith } from '../read/open-release.ts'
import { MIGRATIONS, prepareSchema } from '../schema.ts'
import { lockReleases } from '../write/release-tables.ts'

/**
 * Opens the store of a database as it is now, by one transaction over its own connection. It locks the tables of all
 * releases against being dropped, and nothing else.
 */
export async function openMoment(address: string): Promise<StoreMoment> {
  const target = readAddress(address)
  const { schema } = target
  await prepareSchema(target, true)
  const { registry, content, end } = await openSession(target)
  try {
    await sql`begin isolation level repeatable read, read only`.execute(registry)
    await lockReleases(registry, schema)
    return {
      header: { at: new Date().toISOString(), engine: 'postgres', schema: MIGRATIONS.length },
      registry,
      async open(kept, { layout }) {
        // A release that cannot be read must not end the transaction.
        await sql`savepoint release`.execute(registry)
        async function goBack(error: unknown): Promise<never> {
          await sql`rollback to savepoint release`.execute(registry)
          throw error
        }
        const opened = await openWith(content, schema, kept, layout).catch(goBack)
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
      close: end,
    }
  } catch (error) {
    await end()
    throw error
  }
}
