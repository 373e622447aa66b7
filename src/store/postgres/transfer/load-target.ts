import { sql } from 'kysely'
import type { TableOptions } from '../../engine.ts'
import type { Registry } from '../../registry/tables.ts'
import type { StageOptions } from '../../store.ts'
import type { LoadTarget } from '../../transfer/fill.ts'
import { readAddress } from '../connect/address.ts'
import { lockIn, READINGS } from '../coordinate/locks.ts'
import { prepareSchema } from '../schema.ts'
import { insertRows } from '../write/insert-rows.ts'
import { openReleaseWriter } from '../write/release-writer.ts'

/** Opens the store in a database to fill it. Throws {@link StoreBusyError} on timeout. */
export async function openLoadTarget(
  address: string,
  options: StageOptions,
  tables: TableOptions,
): Promise<LoadTarget> {
  const target = readAddress(address)
  const { schema, shown } = target
  await prepareSchema(target)
  const writer = await openReleaseWriter(target, options, tables)
  return {
    ...writer,
    shown,
    write: work =>
      writer.write(async transaction => {
        await lockIn(transaction, READINGS, schema)
        const done = await work(transaction)
        await continueKeys(transaction, schema)
        return done
      }),
    insert: (transaction, table, rows) => insertRows(transaction, sql.id(schema, table), rows),
  }
}

/** Lets the keys that the database assigns continue after those that were inserted. */
async function continueKeys(transaction: Registry, schema: string): Promise<void> {
  for (const table of ['reading_names', 'reading_statuses'])
    await sql`
      select setval(pg_get_serial_sequence(${`"${schema}"."${table}"`}, 'id'), max(id))
      from ${sql.id(schema, table)}`.execute(transaction)
}
