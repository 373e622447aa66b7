import { sql } from 'kysely'
import type { Topic } from '../../coordination.ts'
import type { Registry } from '../../registry/tables.ts'

/** The channel on which the instances of a schema are notified. */
export const channelOf = (schema: string): string => `pds_${schema}`

/** Notifies all instances once the transaction is committed. */
export async function notify(transaction: Registry, schema: string, about: Topic): Promise<void> {
  await sql`select pg_notify(${channelOf(schema)}, ${about})`.execute(transaction)
}
