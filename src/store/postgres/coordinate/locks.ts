import { createHash } from 'node:crypto'

/** The kinds of advisory locks: each is a key space of its own in the database. */
export const MIGRATING = 0x50_44_53_01
export const RELEASES = 0x50_44_53_02
export const READINGS = 0x50_44_53_03

/** The two numbers of an advisory lock: its kind, and a hash of the schema's name. */
export function lockKey(what: number, schema: string): [number, number] {
  return [what, createHash('sha256').update(schema).digest().readInt32BE()]
}
