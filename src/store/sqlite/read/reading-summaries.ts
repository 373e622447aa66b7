import { type Expression, sql } from 'kysely'
import { HOUR_MS, lastSpaces } from '../../readings/reading-hours.ts'
import { readingNames } from '../../readings/reading-names.ts'
import { joinSummaries, type NameSummary } from '../../readings/renamed-carparks.ts'
import type { ReadingRange, ReadingSummary } from '../../store.ts'
import type { Registry } from '../registry.ts'
import { readNumberRows } from '../write/number-rows.ts'

const QUARTER_MS = HOUR_MS / 4

/** Summaries of readings by quarters of an hour or hours, in the order of time and code. */
export async function readSummaries(
  registry: Registry,
  range: ReadingRange,
  width: 'quarter' | 'hour',
): Promise<ReadingSummary[]> {
  const names = await readingNames(registry, range.code)
  const ids = names.map(({ id }) => id)
  return joinSummaries(await (width === 'hour' ? hours : quarters)(registry, range, ids), names)
}

/** What of a row is read, in turn. */
const COLUMNS = ['name_id', 'from', 'min', 'max', 'sum', 'count', 'last', 'last_at'] as const

async function readRows(registry: Registry, query: Expression<unknown>): Promise<NameSummary[]> {
  const rows = await readNumberRows<number[]>(registry, query, COLUMNS)
  return rows.map(([name_id = 0, from = 0, min = 0, max = 0, sum = 0, count = 0, last = 0, last_at = 0]) => {
    return { name_id, from, min, max, sum, count, last, last_at }
  })
}

function hours(
  registry: Registry,
  { from, to }: ReadingRange,
  ids: readonly number[],
): Promise<NameSummary[]> {
  const query = registry
    .selectFrom('reading_hours')
    .where('name_id', 'in', ids)
    .where('hour', '>=', Math.floor(from / HOUR_MS))
    .where('hour', '<', Math.ceil(to / HOUR_MS))
    .select(['name_id', 'min', 'max', 'sum', 'count', 'last', 'last_at'])
    .select(sql<number>`hour * ${sql.lit(HOUR_MS)}`.as('from'))
  return readRows(registry, query)
}

function quarters(
  registry: Registry,
  { from, to }: ReadingRange,
  ids: readonly number[],
): Promise<NameSummary[]> {
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
