import { sql } from 'kysely'
import { unescapeText } from '../encoding/escape-text.ts'
import type { HistoricReading, KeptHistory, ReadingRange, ReadingSummary } from '../reading-store.ts'
import type { Registry } from '../registry/tables.ts'
import { HOUR_MS, summaryOf } from './reading-hours.ts'
import { readingNames, statusesById } from './reading-names.ts'
import { joinHistories, joinSummaries, type NameSummary } from './renamed-carparks.ts'

const QUARTER_MS = HOUR_MS / 4

/** A query for rows of whole numbers and nulls. */
export interface NumberQuery<Row> {
  execute(): Promise<Row[]>
}

/** Executes a query of a registry for these columns in the fastest way of the engine. */
export type ReadNumbers = <Row extends object>(
  query: NumberQuery<Row>,
  columns: readonly (keyof Row & string)[],
  registry: Registry,
) => Promise<Row[]>

/** The car parks that have readings, by code. */
export async function readKeptHistory(registry: Registry): Promise<KeptHistory[]> {
  // The index finds the first and the last hour of a name, whereas a minimum would read all of its hours.
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
  const kept = rows.flatMap(({ first, last, code, name }) =>
    first === null || last === null
      ? []
      : [{ first, last, code: unescapeText(code), name: unescapeText(name) }],
  )
  return joinHistories(kept.sort((one, other) => one.last - other.last))
}

/** Readings in the order of time, and at one time in the feed's order. */
export async function readReadings(
  registry: Registry,
  range: ReadingRange,
  readNumbers: ReadNumbers,
): Promise<HistoricReading[]> {
  const names = await readingNames(registry, range.code)
  const byId = new Map(names.map(({ id, code, name }) => [id, { code, name }]))
  const statuses = await statusesById(registry)
  if (names.length === 0) return []
  const query = registry
    .selectFrom('readings')
    .where('at', '>=', range.from)
    .where('at', '<', range.to)
    .where('name_id', 'in', [...byId.keys()])
    .select(['at', 'name_id', 'spaces', 'open', 'status_id'])
    .orderBy('at')
    .orderBy('ordinal')
  const rows = await readNumbers(query, ['at', 'name_id', 'spaces', 'open', 'status_id'], registry)
  return rows.map(({ at, name_id, spaces, open, status_id }) => {
    const { code = '', name = '' } = byId.get(name_id) ?? {}
    const status = status_id === null ? null : (statuses.get(status_id) ?? null)
    return { at, code, name, spaces, open: open === null ? null : open === 1, status }
  })
}

/** Summaries of readings by quarters of an hour or hours, in the order of time and code. */
export async function readSummaries(
  registry: Registry,
  range: ReadingRange,
  width: 'quarter' | 'hour',
  readNumbers: ReadNumbers,
): Promise<ReadingSummary[]> {
  const names = await readingNames(registry, range.code)
  if (names.length === 0) return []
  const ids = names.map(({ id }) => id)
  const query: NumberQuery<NameSummary> = (width === 'hour' ? hours : quarters)(registry, range, ids)
  const columns = ['name_id', 'from', 'min', 'max', 'sum', 'count', 'last', 'last_at'] as const
  return joinSummaries(await readNumbers(query, columns, registry), names)
}

const hours = (registry: Registry, { from, to }: ReadingRange, ids: readonly number[]) =>
  registry
    .selectFrom('reading_hours')
    .where('name_id', 'in', ids)
    .where('hour', '>=', Math.floor(from / HOUR_MS))
    .where('hour', '<', Math.ceil(to / HOUR_MS))
    .select(['name_id', 'min', 'max', 'sum', 'count', 'last', 'last_at'])
    .select(sql<number>`cast(hour as bigint) * ${sql.lit(HOUR_MS)}`.as('from'))

function quarters(registry: Registry, { from, to }: ReadingRange, ids: readonly number[]) {
  const quarter = sql<number>`at / ${sql.lit(QUARTER_MS)}`
  return registry
    .selectFrom('readings')
    .where('name_id', 'in', ids)
    .where('at', '>=', from)
    .where('at', '<', to)
    .groupBy(['name_id', quarter])
    .select(group => [
      'name_id',
      sql<number>`${quarter} * ${sql.lit(QUARTER_MS)}`.as('from'),
      ...summaryOf(group),
    ])
}
