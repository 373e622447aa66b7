import { createHash } from 'node:crypto'

/** What is locked: each is a space of its own among the advisory locks of a database. */
export const MIGRATING = 0x50_44_53_01
export const RELEASES = 0x50_44_53_02
export const READINGS = 0x50_44_53_03

/** The two numbers that name an advisory lock: what is locked, and a number that stands for the schema. */
export function lockKey(what: number, schema: string): [number, number] {
  return [what, createHash('sha256').update(schema).digest().readInt32BE()]
}
