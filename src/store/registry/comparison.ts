/**
 * Returns the statement that compares two releases by the keys and digests of their records, both of which may repeat.
 * Unmatched records with the same key on both sides count as changed in pairs; the others were added or removed. The
 * tables are SQL text.
 */
export function comparison(before: string, after: string): string {
  const unmatched = (one: string, other: string) => `
    select one.key, sum(one.copies - coalesce(other.copies, 0)) as n
    from ${one} as one
    left join ${other} as other on other.key = one.key and other.digest = one.digest
    where one.copies > coalesce(other.copies, 0)
    group by one.key`
  return `
    with
      fresh as materialized (${unmatched(after, before)}),
      gone as materialized (${unmatched(before, after)}),
      changed as (
        select coalesce(sum(case when fresh.n < gone.n then fresh.n else gone.n end), 0) as n
        from fresh join gone on gone.key = fresh.key
      )
    select
      (select coalesce(sum(n), 0) from fresh) - changed.n as added,
      changed.n as changed,
      (select coalesce(sum(n), 0) from gone) - changed.n as removed
    from changed`
}
