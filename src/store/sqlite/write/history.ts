import { sql } from 'kysely'
import type { HistoryWriter } from '../../readings/history-import.ts'
import type { Registry } from '../../registry/tables.ts'
import { writing } from '../registry.ts'

let writers = 0

/**
 * Runs work that imports or removes readings. They are staged in memory, and passed to SQLite as one JSON text, so that
 * the registry is locked only for the insert.
 */
export async function withHistoryWriter<T>(
  registry: Registry,
  work: (writer: HistoryWriter) => Promise<T>,
): Promise<T> {
  const staged = sql.id('main', `staged_${++writers}`)
  await sql`create table ${staged} (at integer, carpark integer, ordinal integer, spaces integer, status integer,
    open integer, primary key (at, carpark)) without rowid`.execute(registry)
  try {
    return await work({
      write: writing(registry),
      async stage(rows) {
        await sql`
          insert or ignore into ${staged}
          select value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5
          from json_each(${JSON.stringify(rows)})`.execute(registry)
      },
      async insertStaged(transaction, names, statuses, batch) {
        const inserted = await sql`
          insert into file.readings (at, name_id, ordinal, spaces, status_id, open, batch)
          select at, ${JSON.stringify(names)} ->> carpark, ordinal, spaces, ${JSON.stringify(statuses)} ->> status, open,
            ${sql.lit(batch)}
          from ${staged} where true
          on conflict do nothing`.execute(transaction)
        return inserted.numAffectedRows ?? 0n
      },
    })
  } finally {
    await sql`drop table ${staged}`.execute(registry)
  }
}
