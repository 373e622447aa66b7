import { sql } from 'kysely'
import { unescapeText } from '../../encoding/escape-text.ts'
import { HOUR_MS, lastSpaces } from '../../readings/reading-hours.ts'
import { readingNames, statusesById } from '../../readings/reading-names.ts'
import { joinHistories, joinSummaries, type NameSummary } from '../../readings/renamed-carparks.ts'
import type { Registry } from '../../registry/registry-tables.ts'
import type { HistoricReading, KeptHistory, ReadingRange, ReadingSummary } from '../../store.ts'

const QUARTER_MS = HOUR_MS / 4

/** The number of imports of readings so far. */
export async function readHistoryRevision(registry: Registry): Promise<number> {
  const row = await registry.selectFrom('state').select('history_revision').executeTakeFirstOrThrow()
  return row.history_revision
}

/** The car parks that have readings, by code. */
export async function readKeptHistory(registry: Registry, schema: string): Promise<KeptHistory[]> {
  const hours = sql.id(schema, 'reading_hours')
  // A name's first and last hour are found at once, where going through all of its hours takes as long as they are many.
  const { rows } = await sql<KeptHistory>`
    select code, name, first_at as first, last_at as last
    from ${sql.id(schema, 'reading_names')} as names
    cross join lateral (select first_at from ${hours} where name_id = names.id order by hour limit 1) as earliest
    cross join lateral (select last_at from ${hours} where name_id = names.id order by hour desc limit 1) as latest
    order by last_at`.execute(registry)
  return joinHistories(
    rows.map(row => ({ ...row, code: unescapeText(row.code), name: unescapeText(row.name) })),
  )
}

/** Readings in the order of time, and at one time in the feed's order. */
export async function readReadings(registry: Registry, range: ReadingRange): Promise<HistoricReading[]> {
  const names = await readingNames(registry, range.code)
  const byId = new Map(names.map(({ id, code, name }) => [id, { code, name }]))
  const statuses = await statusesById(registry)
  if (names.length === 0) return []
  const rows = await registry
    .selectFrom('readings')
    .where('at', '>=', range.from)
    .where('at', '<', range.to)
    .where(isOneOf([...byId.keys()]))
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

/** Summaries of readings by quarters of an hour or hours, in the order of time and code. */
export async function readSummaries(
  registry: Registry,
  range: ReadingRange,
  width: 'quarter' | 'hour',
): Promise<ReadingSummary[]> {
  const names = await readingNames(registry, range.code)
  if (names.length === 0) return []
  const ids = names.map(({ id }) => id)
  return joinSummaries(await (width === 'hour' ? hours : quarters)(registry, range, ids), names)
}

/** In one parameter, so that the statement's text is the same for any number. */
const isOneOf = (ids: readonly number[]) => sql<boolean>`name_id = any(${ids}::integer[])`

function hours(
  registry: Registry,
  { from, to }: ReadingRange,
  ids: readonly number[],
): Promise<NameSummary[]> {
  return registry
    .selectFrom('reading_hours')
    .where(isOneOf(ids))
    .where('hour', '>=', Math.floor(from / HOUR_MS))
    .where('hour', '<', Math.ceil(to / HOUR_MS))
    .select(['name_id', 'min', 'max', 'sum', 'count', 'last', 'last_at'])
    .select(sql<number>`hour::bigint * ${sql.lit(HOUR_MS)}`.as('from'))
    .execute()
}

function quarters(
  registry: Registry,
  { from, to }: ReadingRange,
  ids: readonly number[],
): Promise<NameSummary[]> {
  const quarter = sql<number>`at / ${sql.lit(QUARTER_MS)}`
  return registry
    .selectFrom('readings')
    .where(isOneOf(ids))
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
