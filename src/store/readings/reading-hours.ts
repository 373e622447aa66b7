import { sql } from 'kysely'
import type { Registry } from '../registry/registry-tables.ts'

export const HOUR_MS = 3_600_000

/**
 * The free spaces of the latest of a group of readings, in SQL: the maximum of time and spaces packed into one number,
 * in which the spaces, 100,000 at most, are the low 17 bits.
 */
export const lastSpaces = sql<number>`max(at * 131072 + spaces) % 131072`

/** Adds one new reading to the summary of its hour. */
export async function addToHour(
  registry: Registry,
  nameId: number,
  at: number,
  spaces: number,
): Promise<void> {
  await registry
    .insertInto('reading_hours')
    .values({
      ...{ name_id: nameId, hour: Math.floor(at / HOUR_MS), min: spaces, max: spaces, sum: spaces },
      ...{ count: 1, first_at: at, last_at: at, last: spaces },
    })
    .onConflict(conflict =>
      conflict.columns(['name_id', 'hour']).doUpdateSet({
        min: smaller('min'),
        max: greater('max'),
        sum: sql`reading_hours.sum + excluded.sum`,
        count: sql`reading_hours.count + 1`,
        first_at: smaller('first_at'),
        last_at: greater('last_at'),
        last: sql`case when excluded.last_at >= reading_hours.last_at then excluded.last else reading_hours.last end`,
      }),
    )
    .execute()
}

/** The smaller, or greater, of the stored and the new value; engines name these functions differently. */
const chosen = (column: string, comparison: '<' | '>') => {
  const [kept, coming] = [sql.ref(`reading_hours.${column}`), sql.ref(`excluded.${column}`)]
  return sql<number>`case when ${coming} ${sql.raw(comparison)} ${kept} then ${coming} else ${kept} end`
}
const smaller = (column: string) => chosen(column, '<')
const greater = (column: string) => chosen(column, '>')

/** Recomputes the hourly summaries from the first to before the last, from all their readings. */
export async function sumHours(registry: Registry, from: number, to: number): Promise<void> {
  await registry.deleteFrom('reading_hours').where('hour', '>=', from).where('hour', '<', to).execute()
  const hour = sql<number>`at / ${sql.lit(HOUR_MS)}`
  await registry
    .insertInto('reading_hours')
    .columns(['name_id', 'hour', 'min', 'max', 'sum', 'count', 'first_at', 'last_at', 'last'])
    .expression(
      registry
        .selectFrom('readings')
        .where('at', '>=', from * HOUR_MS)
        .where('at', '<', to * HOUR_MS)
        .groupBy(['name_id', hour])
        .select(({ fn }) => [
          'name_id',
          hour.as('hour'),
          fn.min('spaces').as('min'),
          fn.max('spaces').as('max'),
          fn.sum<number>('spaces').as('sum'),
          fn.countAll<number>().as('count'),
          fn.min('at').as('first_at'),
          fn.max('at').as('last_at'),
          lastSpaces.as('last'),
        ]),
    )
    .execute()
}
