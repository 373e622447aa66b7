import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Registry } from '../../registry/tables.ts'

/** The kinds of advisory locks: each is a key space of its own in the database. */
export const MIGRATING = 0x50_44_53_01
export const RELEASES = 0x50_44_53_02
export const READINGS = 0x50_44_53_03

/** The key of an advisory lock: its kind, and a hash of the schema's name. */
export const lockKey = (kind: number, schema: string) =>
  sql`${kind}::integer, ${createHash('sha256').update(schema).digest().readInt32BE()}::integer`

/** Waits for a lock, which ends with the transaction. */
export async function lockIn(transaction: Registry, kind: number, schema: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${lockKey(kind, schema)})`.execute(transaction)
}
