import { sql } from 'kysely'
import type { Client } from 'pg'
import { dropHistory } from '../../readings/dropping.ts'
import { recordStaged, type StagedReadings, stagedIds, stageReadings } from '../../readings/gathering.ts'
import type { Registry } from '../../registry/registry-tables.ts'
import type { HistoricReading } from '../../store.ts'
import type { Target } from '../connect/address.ts'
import { connectAlone } from '../connect/client.ts'
import { singleConnection } from '../connect/dialect.ts'
import { toStoreError } from '../connect/faults.ts'
import { registryOver } from '../registry.ts'
import { startCopy } from './copy-in.ts'
import { copyLine } from './copy-text.ts'
import { writingReadings } from './writing-readings.ts'

/** Rows sent at once. */
const BATCH = 1000

/**
 * Stores past readings, all or none, skipping those of a stored car park and time; resolves to the number of new ones.
 * They are staged in a temporary table first, so that other writers wait only for the insert.
 */
export async function addHistory(target: Target, readings: Iterable<HistoricReading>): Promise<number> {
  return alone(target, async client => {
    await client.query(`create temporary table gathered (place integer, at bigint, carpark integer, ordinal integer,
      spaces integer, status integer, open smallint)`)
    const copy = await startCopy(client, 'copy gathered from stdin')
    let place = 0
    const gathered = await stageReadings(readings, BATCH, async rows =>
      copy.write(rows.map(([...row]) => copyLine([place++, ...row.map(cellOf)])).join('')),
    )
    await copy.end()
    if (gathered === undefined) return 0
    const writing = writingReadings(registryOver(singleConnection(client), target), target.schema)
    return writing(transaction => insertReadings(transaction, target.schema, gathered))
  })
}

const cellOf = (value: number | boolean | null): number | null => (value === null ? null : Number(value))

/** Drops readings from before a time; resolves to their number. */
export async function dropOldHistory(target: Target, before: number): Promise<number> {
  return alone(target, client =>
    dropHistory(writingReadings(registryOver(singleConnection(client), target), target.schema), before),
  )
}

/** Runs work over its own connection. */
async function alone<T>(target: Target, work: (client: Client) => Promise<T>): Promise<T> {
  let client: Client | undefined
  try {
    client = await connectAlone(target)
    return await work(client)
  } catch (error) {
    throw toStoreError(error, target)
  } finally {
    await client?.end().catch(() => undefined)
  }
}

async function insertReadings(
  transaction: Registry,
  schema: string,
  gathered: StagedReadings,
): Promise<number> {
  const { names, statuses } = await stagedIds(transaction, gathered)
  // Arrays count from 1. Of readings of the same time the first wins, as stored readings do.
  const { numAffectedRows = 0n } = await sql`
    insert into ${sql.id(schema, 'readings')} (at, name_id, ordinal, spaces, status_id, open)
    select distinct on (at, carpark)
      at, (${names}::integer[])[carpark + 1], ordinal, spaces, (${statuses}::integer[])[status + 1], open
    from pg_temp.gathered order by at, carpark, place
    on conflict do nothing`.execute(transaction)
  if (numAffectedRows > 0n) await recordStaged(transaction, gathered)
  return Number(numAffectedRows)
}
