import { sql } from 'kysely'
import { HOUR_MS } from '../../values/time-units.ts'
import { unescapeText } from '../encoding/content.ts'
import type { HistoricReading, KeptHistory, ReadingRange, ReadingSummary } from '../reading-store.ts'
import type { Registry } from '../registry/tables.ts'
import { carPark, latest, readingNames, statusesById, summaryOf } from './reading-rows.ts'

const QUARTER_MS = HOUR_MS / 4

/** The car parks that have readings, by code. */
export async function readKeptHistory(registry: Registry): Promise<KeptHistory[]> {
  // The index finds the first and the last hour of a name. A minimum would read all hours of the name.
  const rows = await registry
    .selectFrom('reading_names')
    .select(({ selectFrom }) => {
      const hours = selectFrom('reading_hours').whereRef('name_id', '=', 'reading_names.id').limit(1)
      return [
        'code',
        'name',
        hours.select('first_at').orderBy('hour').as('first'),
        hours.select('last_at').orderBy('hour', 'desc').as('last'),
      ]
    })
    .execute()
  const kept = new Map<string, KeptHistory>()
  for (const { first, last, ...names } of rows.sort((one, other) => Number(one.last) - Number(other.last))) {
    if (first === null || last === null) continue
    const [code, name] = [unescapeText(names.code), unescapeText(names.name)]
    const before = kept.get(code.toUpperCase())
    kept.set(code.toUpperCase(), { code, name, first: Math.min(first, before?.first ?? first), last })
  }
  return [...kept].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, history]) => history)
}

/** Readings by time; readings of the same time are in the feed's order. */
export async function readReadings(registry: Registry, range: ReadingRange): Promise<HistoricReading[]> {
  const names = await readingNames(registry, range.code)
  const byId = new Map(names.map(({ id, code, name }) => [id, { code, name }]))
  const statuses = await statusesById(registry)
  if (names.length === 0) return []
  const rows = await registry
    .selectFrom('readings')
    .where('at', '>=', range.from)
    .where('at', '<', range.to)
    .where('name_id', 'in', [...byId.keys()])
    .select(['at', 'name_id', 'spaces', 'open', 'status_id'])
    .orderBy('at')
    .orderBy('ordinal')
    .execute()
  return rows.map(({ at, name_id, spaces, open, status_id }) => {
    const { code = '', name = '' } = byId.get(name_id) ?? {}
    const status = status_id === null ? null : (statuses.get(status_id) ?? null)
    return { at, code, name, spaces, open: open === null ? null : open === 1, status }
  })
}

/** Summaries of readings by quarters of an hour or hours, sorted by time and code. */
export async function readSummaries(
  registry: Registry,
  range: ReadingRange,
  width: 'quarter' | 'hour',
): Promise<ReadingSummary[]> {
  const names = await readingNames(registry, range.code)
  if (names.length === 0) return []
  const codes = new Map(names.map(({ id, code }) => [id, code]))
  const units = (width === 'hour' ? hours : quarters)(registry, range, [...codes.keys()])
  const rows = await registry
    .selectFrom(units.as('units'))
    .innerJoin('reading_names', 'id', 'name_id')
    .groupBy(['unit', carPark])
    // A car park renamed within an interval has two names there.
    .select(({ fn }) => [fn.max('name_id').as('name_id'), fn.min('min').as('min'), fn.max('max').as('max')])
    .select([
      sql<number>`cast(sum(sum) as bigint)`.as('sum'),
      sql<number>`cast(sum(count) as bigint)`.as('count'),
      latest('last_at', 'last').as('last'),
      sql<number>`cast(unit as bigint) * ${sql.lit(width === 'hour' ? HOUR_MS : QUARTER_MS)}`.as('from'),
    ])
    .orderBy('unit')
    .orderBy(carPark)
    .execute()
  return rows.map(({ name_id, ...summary }) => ({ code: codes.get(name_id) ?? '', ...summary }))
}

const hours = (registry: Registry, { from, to }: ReadingRange, ids: readonly number[]) =>
  registry
    .selectFrom('reading_hours')
    .where('name_id', 'in', ids)
    .where('hour', '>=', Math.floor(from / HOUR_MS))
    .where('hour', '<', Math.ceil(to / HOUR_MS))
    .select(['hour as unit', 'name_id', 'min', 'max', 'sum', 'count', 'last_at', 'last'])

function quarters(registry: Registry, { from, to }: ReadingRange, ids: readonly number[]) {
  const quarter = sql<number>`at / ${sql.lit(QUARTER_MS)}`
  return registry
    .selectFrom('readings')
    .where('name_id', 'in', ids)
    .where('at', '>=', from)
    .where('at', '<', to)
    .groupBy(['name_id', quarter])
    .select(group => [quarter.as('unit'), 'name_id', ...summaryOf(group)])
}
