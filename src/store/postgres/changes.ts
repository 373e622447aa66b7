import type { Client } from 'pg'
import type { Changes } from '../store.ts'
import type { ReleaseTables } from './release-tables.ts'

/**
 * Compares two releases by the keys and contents of their records, both of which may repeat. What has the same key and
 * other content is changed, as far as there are such on both sides; the rest was added or removed.
 */
export async function changesBetween(
  client: Client,
  before: ReleaseTables,
  after: ReleaseTables,
): Promise<Changes> {
  const { rows } = await client.query<Changes>(comparison(before.named('contents'), after.named('contents')))
  const { added = 0, changed = 0, removed = 0 } = rows[0] ?? {}
  return { added, changed, removed }
}

const unmatched = (one: string, other: string) => `
  select one.key, sum(one.copies - least(one.copies, coalesce(other.copies, 0))) as n
  from ${one} as one
  left join ${other} as other on other.key = one.key and other.digest = one.digest
  where one.copies > coalesce(other.copies, 0)
  group by one.key`

const comparison = (before: string, after: string) => `
  with
    fresh as materialized (${unmatched(after, before)}),
    gone as materialized (${unmatched(before, after)}),
    changed as (select coalesce(sum(least(fresh.n, gone.n)), 0) as n from fresh join gone on gone.key = fresh.key)
  select
    (select coalesce(sum(n), 0) from fresh) - changed.n as added,
    changed.n as changed,
    (select coalesce(sum(n), 0) from gone) - changed.n as removed
  from changed`
