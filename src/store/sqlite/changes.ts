import type { Changes } from '../store.ts'
import { openDatabase } from './driver.ts'

/**
 * Compares two release files by the keys and contents of their records, both of which may repeat. What has the same
 * key and other content is changed, as far as there are such on both sides; the rest was added or removed.
 */
export function changesBetween(oldPath: string, newPath: string): Changes {
  const database = openDatabase(newPath, { finished: true })
  try {
    database.attach(oldPath, 'old', { finished: true })
    return { ...(database.prepare(COMPARISON).get() as Changes) }
  } finally {
    database.close()
  }
}

const unmatched = (one: string, other: string) => `
  select one.key, sum(one.copies - min(one.copies, coalesce(other.copies, 0))) as n
  from ${one}.contents as one
  left join ${other}.contents as other on other.key = one.key and other.digest = one.digest
  where one.copies > coalesce(other.copies, 0)
  group by one.key`

const COMPARISON = `
  with
    fresh as materialized (${unmatched('file', 'old')}),
    gone as materialized (${unmatched('old', 'file')}),
    changed as (select coalesce(sum(min(fresh.n, gone.n)), 0) as n from fresh join gone on gone.key = fresh.key)
  select
    (select coalesce(sum(n), 0) from fresh) - changed.n as added,
    changed.n as changed,
    (select coalesce(sum(n), 0) from gone) - changed.n as removed
  from changed`
