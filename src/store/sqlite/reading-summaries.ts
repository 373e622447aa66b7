import { type Expression, sql } from 'kysely'
import type { ReadingRange, ReadingSummary } from '../store.ts'
import { readNumberRows } from './number-rows.ts'
import { HOUR_MS, lastSpaces } from './reading-hours.ts'
import { type ReadingName, readingNames } from './reading-names.ts'
import type { Registry } from './registry.ts'

const QUARTER_MS = HOUR_MS / 4

/** Summaries of readings by quarters of an hour or hours, in the order of time and code. */
export async function readSummaries(
  registry: Registry,
  range: ReadingRange,
  width: 'quarter' | 'hour',
): Promise<ReadingSummary[]> {
  const names = await readingNames(registry, range.code)
  const codes = new Map(names.map(({ id, code }) => [id, code]))
  const ranks = ranksByCode(names)
  const rank = (row: Row) => ranks.get(row.name_id) ?? 0
  const rows = await (width === 'hour' ? hours : quarters)(registry, range, [...codes.keys()])
  rows.sort((a, b) => a.from - b.from || rank(a) - rank(b) || a.last_at - b.last_at)
  const summaries: ReadingSummary[] = []
  let [lastFrom, lastRank] = [Number.NaN, Number.NaN]
  for (const { name_id, from, min, max, sum, count, last } of rows) {
    const summary = { code: codes.get(name_id) ?? '', from, min, max, sum, count, last }
    const before = summaries.at(-1)
    // A car park that was renamed has two summaries of the time in which that was; they are one.
    if (before !== undefined && from === lastFrom && ranks.get(name_id) === lastRank)
      summaries[summaries.length - 1] = added(before, summary)
    else summaries.push(summary)
    lastFrom = from
    lastRank = ranks.get(name_id) ?? 0
  }
  return summaries
}

/** The places of names in the order of their codes; one for names of the same code. */
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

interface Row extends Omit<ReadingSummary, 'code'> {
  readonly name_id: number
  readonly last_at: number
}

/** What of a row is read, in turn. */
const COLUMNS = ['name_id', 'from', 'min', 'max', 'sum', 'count', 'last', 'last_at'] as const

async function readRows(registry: Registry, query: Expression<unknown>): Promise<Row[]> {
  const rows = await readNumberRows<number[]>(registry, query, COLUMNS)
  return rows.map(([name_id = 0, from = 0, min = 0, max = 0, sum = 0, count = 0, last = 0, last_at = 0]) => {
    return { name_id, from, min, max, sum, count, last, last_at }
  })
}

function hours(registry: Registry, { from, to }: ReadingRange, ids: readonly number[]): Promise<Row[]> {
  const query = registry
    .selectFrom('reading_hours')
    .where('name_id', 'in', ids)
    .where('hour', '>=', Math.floor(from / HOUR_MS))
    .where('hour', '<', Math.ceil(to / HOUR_MS))
    .select(['name_id', 'min', 'max', 'sum', 'count', 'last', 'last_at'])
    .select(sql<number>`hour * ${sql.lit(HOUR_MS)}`.as('from'))
  return readRows(registry, query)
}

function quarters(registry: Registry, { from, to }: ReadingRange, ids: readonly number[]): Promise<Row[]> {
  const quarter = sql<number>`at / ${sql.lit(QUARTER_MS)}`
  const query = registry
    .selectFrom('readings')
    .where('name_id', 'in', ids)
    .where('at', '>=', from)
    .where('at', '<', to)
    .groupBy(['name_id', quarter])
    .select(({ fn }) => [
      'name_id',
      sql<number>`${quarter} * ${sql.lit(QUARTER_MS)}`.as('from'),
      fn.min('spaces').as('min'),
      fn.max('spaces').as('max'),
      fn.sum<number>('spaces').as('sum'),
      fn.countAll<number>().as('count'),
      fn.max('at').as('last_at'),
      lastSpaces.as('last'),
    ])
  return readRows(registry, query)
}
