import { sql } from 'kysely'
import type { Writing } from '../../readings/writing.ts'
import type { Registry } from '../../registry/registry-tables.ts'
import { lockKey, READINGS } from '../coordinate/locks.ts'

/** How long to wait for another writer of readings. */
const WAIT_MS = 10_000

/** Returns the serialiser of writes of readings: concurrent ones could deadlock on each other's rows. */
export function writingReadings(registry: Registry, schema: string): Writing {
  const [what, which] = lockKey(READINGS, schema)
  return work =>
    registry.transaction().execute(async transaction => {
      await sql`set local lock_timeout = ${sql.lit(WAIT_MS)}`.execute(transaction)
      await sql`select pg_advisory_xact_lock(${what}, ${which})`.execute(transaction)
      return work(transaction)
    })
}
