import { type ExpressionBuilder, sql } from 'kysely'
import { memoise } from '../../values/memoise.ts'
import { HOUR_MS } from '../../values/time-units.ts'
import { escapeText, unescapeText } from '../encoding/content.ts'
import type { HistoricReading } from '../reading-store.ts'
import type { Registry, RegistryTables, WriteRegistry } from '../registry/tables.ts'

/** Identifies the car park of a row of `reading_names`, in SQL. Codes that differ only in case are one car park. */
export const carPark = sql<string>`upper(code)`

/** The id of a code and name. A renamed car park gets another id, so that older readings keep the old name. */
function nameId(registry: Registry, carpark: { code: string; name: string }): Promise<number> {
  const values = { code: escapeText(carpark.code), name: escapeText(carpark.name) }
  const known = registry.selectFrom('reading_names').where('code', '=', values.code)
  return idOf(
    known.where('name', '=', values.name).select('id'),
    registry.insertInto('reading_names').values(values).returning('id'),
  )
}

/** The id of a status; null for a missing one. */
async function statusId(registry: Registry, text: string | null): Promise<number | null> {
  if (text === null) return null
  const status = escapeText(text)
  return idOf(
    registry.selectFrom('reading_statuses').where('status', '=', status).select('id'),
    registry.insertInto('reading_statuses').values({ status }).returning('id'),
  )
}

interface IdQuery {
  executeTakeFirst(): Promise<{ id: number } | undefined>
}

/** The id from a query, or from an insertion if the query finds nothing. */
async function idOf(known: IdQuery, insertion: IdQuery): Promise<number> {
  const row = (await known.executeTakeFirst()) ?? (await insertion.executeTakeFirst())
  if (row === undefined) throw new Error('the database has returned no id')
  return row.id
}

/** Returns a function that makes the row of a reading. Its readings come in the order of the source. */
export function rowsOf(transaction: Registry, batch: number | null) {
  const idOfName = memoise((names: string) => nameId(transaction, JSON.parse(names)))
  const idOfStatus = memoise((status: string | null) => statusId(transaction, status))
  let [lastAt, ordinal] = [Number.NaN, 0]
  return async ({ at, code, name, spaces, status, open }: HistoricReading) => {
    ordinal = at === lastAt ? ordinal + 1 : 0
    lastAt = at
    const name_id = await idOfName(JSON.stringify({ code, name }))
    const status_id = await idOfStatus(status)
    return { at, name_id, ordinal, spaces, status_id, open: open === null ? null : Number(open), batch }
  }
}

/** All codes and names of readings with their ids, or the names of one code, case-insensitively. There are few. */
export async function readingNames(registry: Registry, code?: string) {
  const rows = await registry.selectFrom('reading_names').selectAll().orderBy('id').execute()
  const names = rows.map(({ id, code, name }) => ({ id, code: unescapeText(code), name: unescapeText(name) }))
  return code === undefined ? names : names.filter(name => name.code.toUpperCase() === code.toUpperCase())
}

/** The statuses of readings by id. There are few. */
export async function statusesById(registry: Registry): Promise<Map<number, string>> {
  const rows = await registry.selectFrom('reading_statuses').selectAll().execute()
  return new Map(rows.map(({ id, status }) => [id, unescapeText(status)]))
}

/**
 * The free spaces of the latest reading of a group, in SQL. Time and spaces are packed into one number: the low 17 bits are
 * the spaces, 100,000 at most. The maximum of these numbers is the latest reading.
 */
export const latest = (at: string, spaces: string) =>
  sql<number>`max(${sql.ref(at)} * 131072 + ${sql.ref(spaces)}) % 131072`

/** The summary of a group of readings. */
export const summaryOf = ({ fn }: ExpressionBuilder<RegistryTables, 'readings'>) =>
  [
    fn.min('spaces').as('min'),
    fn.max('spaces').as('max'),
    fn.sum<number>('spaces').as('sum'),
    fn.countAll<number>().as('count'),
    fn.max('at').as('last_at'),
    latest('at', 'spaces').as('last'),
  ] as const

/** A time before and after 1970 that exceeds all readings. */
const EVER = 10 ** 7 * HOUR_MS

/** Recomputes the summaries of all hours from the first to the last time, from their readings. */
export async function sumHours(transaction: Registry, first = -EVER, last = EVER): Promise<void> {
  const [from, to] = [Math.floor(first / HOUR_MS), Math.floor(last / HOUR_MS) + 1]
  await transaction.deleteFrom('reading_hours').where('hour', '>=', from).where('hour', '<', to).execute()
  const hour = sql<number>`at / ${sql.lit(HOUR_MS)}`
  const sums = transaction
    .selectFrom('readings')
    .where('at', '>=', from * HOUR_MS)
    .where('at', '<', to * HOUR_MS)
    .groupBy(['name_id', hour])
    .select(group => ['name_id', hour.as('hour'), group.fn.min('at').as('first_at'), ...summaryOf(group)])
  await transaction
    .insertInto('reading_hours')
    .columns(['name_id', 'hour', 'first_at', 'min', 'max', 'sum', 'count', 'last_at', 'last'])
    .expression(sums)
    .execute()
}

/** Drops readings from before a time; resolves to their number. */
export async function dropHistory(write: WriteRegistry, before: number): Promise<number> {
  return write(async transaction => {
    const dropped = await transaction.deleteFrom('readings').where('at', '<', before).executeTakeFirst()
    if (dropped.numDeletedRows === 0n) return 0
    await transaction.deleteFrom('observations').where('at', '<', before).execute()
    await transaction
      .deleteFrom('reading_hours')
      .where('hour', '<', Math.floor(before / HOUR_MS))
      .execute()
    await sumHours(transaction, before, before)
    return Number(dropped.numDeletedRows)
  })
}
