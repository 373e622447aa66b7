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

/** Lines sent at once. */
const BATCH = 1000

/**
 * Keeps readings of the past, all or none, leaving alone what is known of the same car park and time; gives how many
 * were new. They are gathered in a table of the connection first, so that others wait only for as long as they take to
 * go in.
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

/** Drops readings from before a time; gives how many. */
export async function dropOldHistory(target: Target, before: number): Promise<number> {
  return alone(target, client =>
    dropHistory(writingReadings(registryOver(singleConnection(client), target), target.schema), before),
  )
}

/** Works over a connection of its own, for as long as it takes. */
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
  // Lists count from 1. Of readings of the same time the first counts, as for those that are known.
  const { numAffectedRows = 0n } = await sql`
    insert into ${sql.id(schema, 'readings')} (at, name_id, ordinal, spaces, status_id, open)
    select distinct on (at, carpark)
      at, (${names}::integer[])[carpark + 1], ordinal, spaces, (${statuses}::integer[])[status + 1], open
    from pg_temp.gathered order by at, carpark, place
    on conflict do nothing`.execute(transaction)
  if (numAffectedRows > 0n) await recordStaged(transaction, gathered)
  return Number(numAffectedRows)
}
