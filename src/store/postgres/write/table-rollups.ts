import type { Client } from 'pg'
import {
  blockOf,
  COMBINED,
  COMBINED_ALL,
  COUNT_COLUMN,
  daysOf,
  isTooLong,
  ROWS_A_COUNT,
  type RollupPlan,
  SPAN,
  spanOf,
  spansOf,
} from '../../table/rollups/rollup-tables.ts'
import type { ReleaseTables } from './release-tables.ts'

/** Creates the rollups of a day column (see `table/rollups/rollup-tables.ts`); resolves to the names of its tables. */
export async function countDay(
  client: Client,
  { named }: ReleaseTables,
  { lowCardinality: few, days: [firstDay], counted, rows }: RollupPlan,
  day: string,
): Promise<string[]> {
  const made: string[] = []
  /** Resolves to the number of entries. */
  async function make(name: string, query: string): Promise<number> {
    const { rowCount } = await client.query(`create table ${named(name)} as ${query}`)
    made.push(name)
    return rowCount ?? 0
  }
  const index = (name: string, column: string) =>
    client.query(`create index on ${named(name)} ("${column}") with (fillfactor = 100)`)

  await make(
    daysOf(day),
    `select day, (sum(n) over (order by day))::integer as upto
      from (select "${day}" as day, count(*) as n from ${named('rows')} where "${day}" is not null group by 1) as days
      order by day`,
  )
  await index(daysOf(day), 'day')
  if (!counted) return made
  // The other rollups of this day sum up this one, without another scan of the rows.
  const spans = spansOf(day)
  const names = listed(few)
  const entries = await make(
    spans,
    `select ${spanOf(`"${day}"`)} as "${SPAN}", ${names}, count(*)::integer as "${COUNT_COLUMN}"
      from ${named('rows')} group by 1, ${names} order by 1`,
  )
  for (const word of few.filter(one => !isTooLong(spansOf(day, one)))) {
    await make(spansOf(day, word), summed(named(spans), [SPAN, word]))
    await index(spansOf(day, word), SPAN)
  }
  if (day === firstDay) await make(COMBINED, summed(named(spans), few))
  if (entries * ROWS_A_COUNT <= rows) {
    await index(spans, SPAN)
    return made
  }
  await client.query(`drop table ${named(spans)}`)
  return made.filter(name => name !== spans)
}

/**
 * Creates the co-occurrence counts of all columns, after the dictionary of the highest-cardinality one; resolves to the
 * names of its tables.
 */
export async function countCombined(
  client: Client,
  { named }: ReleaseTables,
  { lowCardinality: few, highCardinality: many, combinedAll }: RollupPlan,
): Promise<string[]> {
  const [most] = many
  if (!combinedAll || most === undefined) return []
  const names = listed([...many, ...few])
  const piece = `"${blockOf(most)}"`
  await client.query(`
    create table ${named(COMBINED_ALL)} as
      select piece as ${piece}, counted.*
      from (select ${names}, count(*)::integer as "${COUNT_COLUMN}" from ${named('rows')} group by ${names}) as counted
      join ${named(`words_${most}`)} on id = "${most}"
      order by piece, "${most}"`)
  await client.query(`create index on ${named(COMBINED_ALL)} (${piece}) with (fillfactor = 100)`)
  return [COMBINED_ALL]
}

const listed = (names: readonly string[]): string => names.map(name => `"${name}"`).join(', ')

/** Sums counts grouped by some of their columns. */
const summed = (table: string, columns: readonly string[]): string =>
  `select ${listed(columns)}, sum("${COUNT_COLUMN}")::integer as "${COUNT_COLUMN}"
    from ${table} group by ${listed(columns)} order by ${listed(columns)}`
