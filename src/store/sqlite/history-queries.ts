import { sql } from 'kysely'
import { readText } from '../plain-text.ts'
import type { HistoricReading, KeptHistory, ReadingRange, ReadingSummary } from '../store.ts'
import { HOUR_MS, lastSpaces } from './reading-hours.ts'
import { type ReadingName, readingNames } from './reading-names.ts'
import type { Registry } from './registry.ts'

const QUARTER_MS = HOUR_MS / 4

/** The number of imports of readings so far. */
export async function readHistoryRevision(registry: Registry): Promise<number> {
  const row = await registry.selectFrom('state').select('history_revision').executeTakeFirstOrThrow()
  return row.history_revision
}

/** The car parks that have readings, by code. */
export async function readKeptHistory(registry: Registry): Promise<KeptHistory[]> {
  const rows = await registry
    .selectFrom('reading_hours')
    .innerJoin('reading_names', 'reading_names.id', 'reading_hours.name_id')
    .groupBy(['name_id', 'code', 'name'])
    .select(({ fn }) => ['code', 'name', fn.min('first_at').as('first'), fn.max('last_at').as('last')])
    .orderBy('last')
    .execute()
  const kept = new Map<string, KeptHistory>()
  for (const row of rows) {
    const [code, name] = [readText(row.code), readText(row.name)]
    const before = kept.get(code.toUpperCase())
    kept.set(code.toUpperCase(), {
      code,
      name,
      first: Math.min(Number(row.first), before?.first ?? Number.POSITIVE_INFINITY),
      last: Number(row.last),
    })
  }
  return [...kept.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, history]) => history)
}

/** Readings in the order of time, and at one time in the feed's order. */
export async function readReadings(registry: Registry, range: ReadingRange): Promise<HistoricReading[]> {
  const names = await readingNames(registry, range.code)
  const byId = new Map(names.map(name => [name.id, name]))
  const rows = await registry
    .selectFrom('readings')
    .leftJoin('reading_statuses', 'reading_statuses.id', 'readings.status_id')
    .where('at', '>=', range.from)
    .where('at', '<', range.to)
    .where(
      'name_id',
      'in',
      names.map(({ id }) => id),
    )
    .select(['at', 'name_id', 'spaces', 'open', 'status'])
    .orderBy('at')
    .orderBy('ordinal')
    .execute()
  return rows.map(({ at, name_id, spaces, open, status }) => {
    const { code = '', name = '' } = byId.get(name_id) ?? {}
    const told = {
      open: open === null ? null : open === 1,
      status: status === null ? null : readText(status),
    }
    return { at, code, name, spaces, ...told }
  })
}

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

type Row = Omit<ReadingSummary, 'code'> & { readonly name_id: number; readonly last_at: number }

function hours(registry: Registry, { from, to }: ReadingRange, ids: readonly number[]): Promise<Row[]> {
  return registry
    .selectFrom('reading_hours')
    .where('name_id', 'in', ids)
    .where('hour', '>=', Math.floor(from / HOUR_MS))
    .where('hour', '<', Math.ceil(to / HOUR_MS))
    .select(['name_id', 'min', 'max', 'sum', 'count', 'last', 'last_at'])
    .select(sql<number>`hour * ${sql.lit(HOUR_MS)}`.as('from'))
    .orderBy('hour')
    .execute()
}

function quarters(registry: Registry, { from, to }: ReadingRange, ids: readonly number[]): Promise<Row[]> {
  const quarter = sql<number>`at / ${sql.lit(QUARTER_MS)}`
  return registry
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
    .execute()
}
