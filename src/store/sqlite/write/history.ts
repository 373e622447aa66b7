import { sql } from 'kysely'
import type { HistoryWriter, StagedReading } from '../../readings/history-import.ts'
import type { Registry } from '../../registry/tables.ts'
import { writing } from '../registry.ts'
import { insertRows } from './insert-rows.ts'

let writers = 0

/** Runs work that imports or removes readings. They are staged in memory, so that the registry is locked only for the insert. */
export async function withHistoryWriter<T>(
  registry: Registry,
  work: (writer: HistoryWriter) => Promise<T>,
): Promise<T> {
  const staged = sql.id('main', `staged_${++writers}`)
  await sql`create table ${staged} (at integer, name_id integer, ordinal integer, spaces integer, status_id integer,
    open integer, primary key (at, name_id)) without rowid`.execute(registry)
  try {
    return await work({
      ...{ write: writing(registry), staged: sql<StagedReading>`${staged}` },
      stage: rows => insertRows(registry, staged, rows),
    })
  } finally {
    await sql`drop table ${staged}`.execute(registry)
  }
}
