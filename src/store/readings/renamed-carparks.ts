import type { KeptHistory, ReadingSummary } from '../store.ts'

/** A code and name with their id. */
export interface ReadingName {
  readonly id: number
  readonly code: string
  readonly name: string
}

/** A summary of the readings under one name. */
export interface NameSummary extends Omit<ReadingSummary, 'code'> {
  readonly name_id: number
  /** The time of the latest reading. */
  readonly last_at: number
}

/** Merges the histories of a car park's names, given in the order of their last times, into one; in the order of codes. */
export function joinHistories(histories: readonly KeptHistory[]): KeptHistory[] {
  const kept = new Map<string, KeptHistory>()
  for (const history of histories) {
    const before = kept.get(history.code.toUpperCase())
    const first = Math.min(history.first, before?.first ?? Number.POSITIVE_INFINITY)
    kept.set(history.code.toUpperCase(), { ...history, first })
  }
  return [...kept.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, history]) => history)
}

/**
 * Merges the summaries of a car park's names into one a car park, in the order of time and code: the interval in which
 * a car park was renamed has two. Sorts the list in place.
 */
export function joinSummaries(rows: NameSummary[], names: readonly ReadingName[]): ReadingSummary[] {
  const codes = new Map(names.map(({ id, code }) => [id, code]))
  const ranks = ranksByCode(names)
  const rank = (row: NameSummary) => ranks.get(row.name_id) ?? 0
  rows.sort((a, b) => a.from - b.from || rank(a) - rank(b) || a.last_at - b.last_at)
  const summaries: ReadingSummary[] = []
  let [lastFrom, lastRank] = [Number.NaN, Number.NaN]
  for (const row of rows) {
    const { name_id, from, min, max, sum, count, last } = row
    const summary = { code: codes.get(name_id) ?? '', from, min, max, sum, count, last }
    const before = summaries.at(-1)
    if (before !== undefined && from === lastFrom && rank(row) === lastRank)
      summaries[summaries.length - 1] = added(before, summary)
    else summaries.push(summary)
    lastFrom = from
    lastRank = rank(row)
  }
  return summaries
}

/** The ranks of names in the order of their codes; names of the same code share one. */
function ranksByCode(names: readonly ReadingName[]): Map<number, number> {
  const codes = [...new Set(names.map(({ code }) => code.toUpperCase()))].sort()
  const places = new Map(codes.map((code, place) => [code, place]))
  return new Map(names.map(({ id, code }) => [id, places.get(code.toUpperCase()) ?? 0]))
}

function added(before: ReadingSummary, next: ReadingSummary): ReadingSummary {
  return {
    ...next,
    min: Math.min(before.min, next.min),
    max: Math.max(before.max, next.max),
    sum: before.sum + next.sum,
    count: before.count + next.count,
  }
}
