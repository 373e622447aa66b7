import type { Client } from 'pg'
import type { Layout, TableLayout } from '../../layout.ts'
import { planRollups, type RollupPlan } from '../../table/rollups/rollup-tables.ts'
import type { Dictionaries } from './record-encoder.ts'
import type { ReleaseTables } from './release-tables.ts'
import { countCombined, countDay } from './table-rollups.ts'
import { writeWords } from './table-words.ts'

/** How the tables of a release store the records of a layout. */
export interface PhysicalSchema {
  /** The columns of a record, declared as in `create table`. */
  readonly declarations: readonly string[]
  /** The table that holds the records, and the query that reads it in served order from the table of staging rows. */
  readonly records: { readonly table: string; query(staging: string): string }
  /** Creates indexes and rollups; resolves to the tables that still need a vacuum. */
  finish(client: Client, tables: ReleaseTables, rows: number, dictionaries: Dictionaries): Promise<string[]>
}

export const physicalSchema = (layout: Layout): PhysicalSchema =>
  layout.kind === 'table' ? tableSchema(layout) : DOCUMENTS

/** Whole records as JSON, in the order of the source. */
const DOCUMENTS: PhysicalSchema = {
  declarations: ['content text not null'],
  records: {
    table: 'documents',
    query: staging => `select position, content from ${staging} order by position`,
  },
  async finish(client, { named }) {
    await client.query(`alter table ${named('documents')} add primary key (position)`)
    return ['documents']
  },
}

const TYPES = {
  word: 'integer not null',
  day: 'integer',
  number: 'double precision',
  digest: 'bytea not null',
} as const

/** One column a field. Rows are numbered in served order and hold the codes of dictionary-encoded values. */
function tableSchema(layout: TableLayout): PhysicalSchema {
  const { columns, newestFirstBy } = layout
  return {
    declarations: columns.map(({ name, type }) => `"${name}" ${TYPES[type]}`),
    records: {
      table: 'rows',
      query: staging => `
        select row_number() over (order by "${newestFirstBy}" desc nulls last, position)::integer as position,
          ${quoted(columns.map(({ name }) => name))}
        from ${staging}`,
    },
    async finish(client, tables, rows, dictionaries) {
      const plan = planRollups(layout, dictionaries, rows)
      for (const index of indexes(layout, plan, tables.named('rows'))) await client.query(index)
      // Updates the planner's statistics, and the visibility map, which index-only scans need.
      await client.query(`vacuum (freeze, analyze) ${tables.named('rows')}`)
      const made: string[] = []
      async function writeAll(columns: readonly string[]): Promise<void> {
        for (const column of columns) {
          const codes = dictionaries.get(column) ?? new Map()
          made.push(...(await writeWords(client, tables, column, codes, plan)))
        }
      }
      await writeAll(plan.highCardinality)
      made.push(...(await countCombined(client, tables, plan)))
      for (const day of plan.days) made.push(...(await countDay(client, tables, plan, day)))
      // Values of low-cardinality columns are counted from the rollups of the days.
      await writeAll(plan.lowCardinality)
      return made
    },
  }
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
  const digests = columns.filter(({ type }) => type === 'digest').map(({ name }) => name)
  const words = [...few, ...many]
  const on = (column: string, beside: readonly string[]) =>
    `create index on ${rows} ("${column}", position)${beside.length > 0 ? ` include (${quoted(beside)})` : ''} ${FULL}`
  return [
    ...many.map(word => on(word, [...words.filter(other => other !== word), ...otherDays])),
    ...otherDays.map(day => on(day, few)),
    `create unique index on ${rows} (position) ${FULL}`,
    ...[...digests, ...few].map(column => `create index on ${rows} ("${column}") ${FULL}`),
  ]
}

const FULL = 'with (fillfactor = 100)'
const quoted = (names: readonly string[]): string => names.map(name => `"${name}"`).join(', ')
