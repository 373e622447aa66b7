import { sql } from 'kysely'
import {
  recordStaged,
  type StagedReadings,
  type StagingRow,
  stagedIds,
  stageReadings,
} from '../../readings/gathering.ts'
import type { HistoricReading } from '../../store.ts'
import type { Registry } from '../registry.ts'
import { writing } from './writing.ts'

/** Readings passed to SQLite at once, as one JSON text. */
const BATCH = 5000

/**
 * Stores past readings, all or none, skipping those of a stored car park and time; resolves to the number of new ones.
 * They are staged in memory first, so that the registry is locked only for the insert.
 */
export async function addHistory(registry: Registry, readings: Iterable<HistoricReading>): Promise<number> {
  await sql`create table main.gathered (at integer, carpark integer, ordinal integer, spaces integer, status integer,
    open integer, primary key (at, carpark)) without rowid`.execute(registry)
  try {
    const gathered = await stageReadings(readings, BATCH, rows => handOver(registry, rows))
    if (gathered === undefined) return 0
    return await writing(registry, transaction => insertReadings(transaction, gathered))
  } finally {
    await sql`drop table main.gathered`.execute(registry)
  }
}

async function handOver(registry: Registry, rows: readonly StagingRow[]): Promise<void> {
  await sql`
    insert or ignore into main.gathered
    select value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5
    from json_each(${JSON.stringify(rows)})`.execute(registry)
}

async function insertReadings(transaction: Registry, gathered: StagedReadings): Promise<number> {
  const { names, statuses } = await stagedIds(transaction, gathered)
  const { numAffectedRows = 0n } = await sql`
    insert into file.readings (at, name_id, ordinal, spaces, status_id, open)
    select at, ${JSON.stringify(names)} ->> carpark, ordinal, spaces, ${JSON.stringify(statuses)} ->> status, open
    from main.gathered where true
    on conflict do nothing`.execute(transaction)
  if (numAffectedRows > 0n) await recordStaged(transaction, gathered)
  return Number(numAffectedRows)
}
