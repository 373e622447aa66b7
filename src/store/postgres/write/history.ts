import { sql } from 'kysely'
import type { HistoryWriter, StagedReading } from '../../readings/history-import.ts'
import type { Registry, WriteRegistry } from '../../registry/tables.ts'
import type { Target } from '../connect/address.ts'
import { withSession } from '../connect/session.ts'
import { lockIn, READINGS } from '../coordinate/locks.ts'
import { writing } from '../registry.ts'
import type { Retrying } from './conflicts.ts'
import { insertRows } from './insert-rows.ts'

/** How long to wait for another writer of readings. */
const WAIT_MS = 10_000

/** Writes readings one writer at a time: concurrent ones could deadlock on each other's rows. */
export function writingReadings(registry: Registry, schema: string, retrying: Retrying): WriteRegistry {
  return work =>
    retrying(() =>
      writing(registry).execute(async transaction => {
        await sql`set local lock_timeout = ${sql.lit(WAIT_MS)}`.execute(transaction)
        await lockIn(transaction, READINGS, schema)
        return work(transaction)
      }),
    )
}

/** Runs work that imports or removes readings, over its own connection. They are staged in a temporary table. */
export function withHistoryWriter<T>(
  target: Target,
  retrying: Retrying,
  work: (writer: HistoryWriter) => Promise<T>,
): Promise<T> {
  return withSession(target, async ({ registry }) => {
    const staged = sql.id('pg_temp', 'staged')
    await sql`create table ${staged} (at bigint, name_id integer, ordinal integer, spaces integer,
      status_id integer, open smallint, primary key (at, name_id))`.execute(registry)
    return work({
      ...{ write: writingReadings(registry, target.schema, retrying), staged: sql<StagedReading>`${staged}` },
      stage: rows => insertRows(registry, staged, rows),
    })
  })
}
