import { type ExpressionBuilder, sql } from 'kysely'
import type { Registry, RegistryTables, WriteRegistry } from '../registry/tables.ts'

export const HOUR_MS = 3_600_000

/**
 * The free spaces of the latest of a group of readings, in SQL: the maximum of time and spaces packed into one number,
 * in which the spaces, 100,000 at most, are the low 17 bits.
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

/** More time before and after 1970 than readings can be of. */
const EVER = 10 ** 7 * HOUR_MS

/** Recomputes the summaries of the hours from that of the first time to that of the last, from all their readings. */
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
