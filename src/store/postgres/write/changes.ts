import type { Client } from 'pg'
import { comparison } from '../../registry/comparison.ts'
import type { Changes } from '../../store.ts'
import type { ReleaseTables } from './release-tables.ts'

/** Compares two releases. */
export async function changesBetween(
  client: Client,
  before: ReleaseTables,
  after: ReleaseTables,
): Promise<Changes> {
  const statement = comparison(before.named('contents'), after.named('contents'), 'least')
  const { rows } = await client.query<Changes>(statement)
  const { added = 0, changed = 0, removed = 0 } = rows[0] ?? {}
  return { added, changed, removed }
}
