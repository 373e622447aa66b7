import { sql } from 'kysely'
import type { HistoryWriter } from '../../readings/history-import.ts'
import type { Registry, WriteRegistry } from '../../registry/tables.ts'
import type { Target } from '../connect/address.ts'
import { connectAlone } from '../connect/connections.ts'
import { singleConnection } from '../connect/dialect.ts'
import { toStoreError } from '../connect/faults.ts'
import { lockKey, READINGS } from '../coordinate/locks.ts'
import { registryOver } from '../registry.ts'
import type { Retrying } from './conflicts.ts'
import { startCopy } from './copy-in.ts'
import { copyLine } from './copy-line.ts'

/** How long to wait for another writer of readings. */
const WAIT_MS = 10_000

/** Writes readings one writer at a time: concurrent ones could deadlock on each other's rows. */
export function writingReadings(registry: Registry, schema: string, retrying: Retrying): WriteRegistry {
  const [what, which] = lockKey(READINGS, schema)
  return work =>
    retrying(() =>
      registry.transaction().execute(async transaction => {
        await sql`set local lock_timeout = ${sql.lit(WAIT_MS)}`.execute(transaction)
        await sql`select pg_advisory_xact_lock(${what}, ${which})`.execute(transaction)
        return work(transaction)
      }),
    )
}

/** Runs work that imports or removes readings, over its own connection. They are staged in a temporary table. */
export async function withHistoryWriter<T>(
  target: Target,
  retrying: Retrying,
  work: (writer: HistoryWriter) => Promise<T>,
): Promise<T> {
  const connecting = connectAlone(target)
  try {
    const client = await connecting
    await client.query(`
      create temporary table staged (place integer generated always as identity, at bigint, carpark integer,
        ordinal integer, spaces integer, status integer, open smallint)`)
    return await work({
      write: writingReadings(registryOver(singleConnection(client), target), target.schema, retrying),
      async stage(rows) {
        const copy = startCopy(client, 'copy staged (at, carpark, ordinal, spaces, status, open) from stdin')
        await copy.write(rows.map(row => copyLine(row.map(cellOf))).join(''))
        await copy.end()
      },
      async insertStaged(transaction, names, statuses, batch) {
        // Arrays count from 1.
        const inserted = await sql`
          insert into ${sql.id(target.schema, 'readings')} (at, name_id, ordinal, spaces, status_id, open, batch)
          select distinct on (at, carpark)
            at, (${names}::integer[])[carpark + 1], ordinal, spaces, (${statuses}::integer[])[status + 1], open,
            ${sql.lit(batch)}::integer
          from pg_temp.staged order by at, carpark, place
          on conflict do nothing`.execute(transaction)
        return inserted.numAffectedRows ?? 0n
      },
    })
  } catch (error) {
    throw toStoreError(error, target)
  } finally {
    await connecting.then(client => client.end()).catch(() => undefined)
  }
}

const cellOf = (value: number | boolean | null): number | null => (value === null ? null : Number(value))
