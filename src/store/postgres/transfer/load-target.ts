import { sql } from 'kysely'
import type { TableOptions } from '../../engine.ts'
import type { Registry } from '../../registry/tables.ts'
import type { StageOptions } from '../../store.ts'
import type { LoadTarget } from '../../transfer/load.ts'
import { listed } from '../../transfer/registry-rows.ts'
import type { Target } from '../connect/address.ts'
import { lockKey, READINGS } from '../coordinate/locks.ts'
import { openReleaseWriter } from '../write/release-writer.ts'
import { registryTablesOf } from './tables.ts'

/** Opens the store in a database to fill it. Throws {@link StoreBusyError} on timeout. */
export async function openLoadTarget(
  target: Target,
  options: StageOptions,
  tables: TableOptions,
): Promise<LoadTarget> {
  const { schema, shown } = target
  // A dump can be read only once.
  const once = <T>(transaction: () => Promise<T>) => transaction()
  const writer = await openReleaseWriter(target, once, options, tables)
  const [what, which] = lockKey(READINGS, schema)
  return {
    writer,
    shown,
    schema,
    tables: await registryTablesOf(writer.registry, schema),
    write: work =>
      writer.write(async transaction => {
        await sql`select pg_advisory_xact_lock(${what}, ${which})`.execute(transaction)
        const done = await work(transaction)
        await continueKeys(transaction, schema)
        return done
      }),
    async insert(transaction, table, columns, rows) {
      const objects = rows.map(row =>
        Object.fromEntries(columns.map((column, place) => [column, row[place]])),
      )
      const into = sql.id(schema, table)
      await sql`
        insert into ${into} (${listed(columns)}) overriding system value
        select ${listed(columns)} from json_populate_recordset(null::${into}, ${JSON.stringify(objects)}::json)`.execute(
        transaction,
      )
    },
    close: async () => writer.unlock(),
  }
}

/** Lets the keys that the database assigns continue after those that were inserted. */
async function continueKeys(transaction: Registry, schema: string): Promise<void> {
  const { rows } = await sql<{ table: string; column: string }>`
    select table_name as "table", column_name as "column" from information_schema.columns
    where table_schema = ${schema} and is_identity = 'YES'`.execute(transaction)
  for (const { table, column } of rows)
    await sql`
      select setval(pg_get_serial_sequence(${`"${schema}"."${table}"`}, ${column}), max(${sql.ref(column)}))
      from ${sql.id(schema, table)}`.execute(transaction)
}
