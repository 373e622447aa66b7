import type { Client } from 'pg'
import type { TableLayout } from '../../layout.ts'
import { planRollups, type RollupPlan } from '../../table/rollups/rollup-tables.ts'
import type { PhysicalSchema } from './physical-schema.ts'
import { countCombined, countDays } from './table-rollups.ts'
import { writeWords } from './table-words.ts'
import type { Task } from './worker-connections.ts'

const TYPES = {
  word: 'integer not null',
  day: 'integer',
  number: 'double precision',
  digest: 'bytea not null',
} as const

/** One column a field. Rows are numbered in served order and hold the codes of dictionary-encoded values. */
export function tableSchema(layout: TableLayout): PhysicalSchema {
  const { columns, newestFirstBy } = layout
  return {
    declarations: columns.map(({ name, type }) => `"${name}" ${TYPES[type]}`),
    async arrange(client, { named }) {
      const { rowCount } = await client.query(`
        create table ${named('rows')} as
          select row_number() over (order by "${newestFirstBy}" desc nulls last, position)::integer as position,
            ${quoted(columns.map(({ name }) => name))}
          from ${named('appended')}`)
      return rowCount ?? 0
    },
    async finish(workers, tables, { rows, dictionaries }) {
      const parts = planRollups(layout, dictionaries, rows)
      await workers.runAll(
        indexes(layout, parts, tables.named('rows')).map(index => client => client.query(index)),
      )
      // Updates the planner's statistics, and the visibility map, which index-only scans need.
      await workers.runFirst(client => client.query(`vacuum (freeze, analyze) ${tables.named('rows')}`))
      const words = (column: string) => (client: Client) =>
        writeWords(client, tables, column, dictionaries.get(column) ?? new Map(), parts)
      const [most, ...others] = parts.highCardinality
      const made = await workers.runAll([
        ...(most === undefined ? [] : [inTurn(words(most), countCombined(tables, parts))]),
        ...countDays(tables, parts),
        ...others.map(words),
      ])
      // Values of low-cardinality columns are counted from the rollups of the days.
      return [...made, ...(await workers.runAll(parts.lowCardinality.map(words)))].flat()
    },
  }
}

const inTurn =
  (...pieces: readonly Task<string[]>[]): Task<string[]> =>
  async client => {
    const made: string[] = []
    for (const work of pieces) made.push(...(await work(client)))
    return made
  }

/**
 * Pages are found by position. The index of a high-cardinality column, where each value has few rows, includes all other
 * columns that queries use, so that no row is read; those of low-cardinality columns hold each value once, and are small.
 * The index of another day includes the columns that are counted with it. Rows never change, so pages are filled completely.
 */
function indexes(
  { columns, newestFirstBy }: TableLayout,
  { lowCardinality: few, highCardinality: many }: RollupPlan,
  rows: string,
): string[] {
  const days = columns.filter(({ name, type }) => type === 'day' && name !== newestFirstBy)
  const otherDays = days.map(({ name }) => name)
  const words = [...few, ...many]
  const on = (column: string, beside: readonly string[]) =>
    `create index on ${rows} ("${column}", position)${beside.length > 0 ? ` include (${quoted(beside)})` : ''} ${FULL}`
  // The slowest come first, as they are built in parallel.
  return [
    ...many.map(word => on(word, [...words.filter(other => other !== word), ...otherDays])),
    ...otherDays.map(day => on(day, few)),
    `create unique index on ${rows} (position) ${FULL}`,
    ...few.map(word => `create index on ${rows} ("${word}") ${FULL}`),
  ]
}

const FULL = 'with (fillfactor = 100)'
const quoted = (names: readonly string[]): string => names.map(name => `"${name}"`).join(', ')
