import { sql } from 'kysely'
import { unescapeText } from '../../encoding/escape-text.ts'
import { readingNames, statusesById } from '../../readings/reading-names.ts'
import { joinHistories } from '../../readings/renamed-carparks.ts'
import type { HistoricReading, KeptHistory, ReadingRange } from '../../store.ts'
import type { Registry } from '../registry.ts'
import { readNumberRows } from '../write/number-rows.ts'

/** The number of imports of readings so far. */
export async function readHistoryRevision(registry: Registry): Promise<number> {
  const row = await registry.selectFrom('state').select('history_revision').executeTakeFirstOrThrow()
  return row.history_revision
}

/** The car parks that have readings, by code. */
export async function readKeptHistory(registry: Registry): Promise<KeptHistory[]> {
  // A name's first and last hour are found at once, where going through all of its hours takes as long as they are many.
  const { rows } = await sql<KeptHistory>`
    select code, name,
      (select first_at from reading_hours where name_id = id order by hour limit 1) as first,
      (select last_at from reading_hours where name_id = id order by hour desc limit 1) as last
    from reading_names where last is not null order by last`.execute(registry)
  return joinHistories(
    rows.map(row => ({ ...row, code: unescapeText(row.code), name: unescapeText(row.name) })),
  )
}

/** Readings in the order of time, and at one time in the feed's order. */
export async function readReadings(registry: Registry, range: ReadingRange): Promise<HistoricReading[]> {
  const names = await readingNames(registry, range.code)
  const byId = new Map(names.map(({ id, code, name }) => [id, { code, name }]))
  const statuses = await statusesById(registry)
  const query = registry
    .selectFrom('readings')
    .where('at', '>=', range.from)
    .where('at', '<', range.to)
    .where(
      'name_id',
      'in',
      names.map(({ id }) => id),
    )
    .select(['at', 'name_id', 'spaces', 'open', 'status_id'])
    .orderBy('at')
    .orderBy('ordinal')
  type Row = [at: number, nameId: number, spaces: number, open: number | null, statusId: number | null]
  const columns = ['at', 'name_id', 'spaces', 'open', 'status_id']
  const rows = await readNumberRows<Row>(registry, query, columns)
  return rows.map(([at, nameId, spaces, open, statusId]) => {
    const { code = '', name = '' } = byId.get(nameId) ?? {}
    const status = statusId === null ? null : (statuses.get(statusId) ?? null)
    return { at, code, name, spaces, open: open === null ? null : open === 1, status }
  })
}
