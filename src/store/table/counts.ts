import { type RawBuilder, sql } from 'kysely'
import type { Value } from '../../query/query.ts'
import type { Group } from '../../query/result.ts'
import { readCell } from '../encoding/cells.ts'
import type { Column } from '../layout.ts'
import type { KnownTables, TableEngine } from './engine.ts'
import { COUNT_COLUMN } from './rollups/rollup-tables.ts'
import { countedRows } from './rollups/rollups.ts'
import { conditionsOf, type RowQuery } from './row-query.ts'
import { shownColumns } from './rows.ts'

/** Counts the matching rows by the values of columns: highest count first, ties in the order of the values. */
export async function countsOf(
  engine: TableEngine,
  tables: KnownTables,
  rowQuery: RowQuery,
  columns: readonly Column[],
): Promise<Group[]> {
  if (rowQuery.isEmpty) return []
  const [first, another] = columns
  const isFree = rowQuery.isWhole && rowQuery.words.length === 0 && rowQuery.ranges.length === 0
  const { rows } = await (isFree && first?.type === 'word' && another === undefined
    ? sql<Counted>`select value as ${sql.ref(first.name)}, count as ${COUNT} from ${engine.table(`words_${first.name}`)}`
    : sql<Counted>`
        select ${shownColumns(engine, columns, 'counts')}, ${COUNT}
        from (${await counts(engine, tables, rowQuery, columns)}) as counts`
  ).execute(engine.database)
  return rows.map(row => groupOf(row, columns)).sort(inOrder)
}

type Counted = Readonly<Record<string, unknown>>

/** A name that no column has. */
const COUNT = sql.ref('/n')

/** The counts by codes: from the rollups where the release has them, else by counting rows. */
async function counts(
  engine: TableEngine,
  tables: KnownTables,
  rowQuery: RowQuery,
  columns: readonly Column[],
): Promise<RawBuilder<unknown>> {
  const names = columns.map(({ name }) => name)
  const refs = sql.join(names.map(name => sql.ref(name)))
  const areWords = columns.every(({ type }) => type === 'word')
  const counted = areWords ? await countedRows(engine, tables, rowQuery, names) : undefined
  return counted === undefined
    ? sql`
        select ${refs}, count(*) as ${COUNT} from ${engine.table('rows')}
        where ${conditionsOf(engine, rowQuery)} group by ${refs}`
    : sql`select ${refs}, sum(${sql.ref(COUNT_COLUMN)}) as ${COUNT} from ${counted} group by ${refs}`
}

const groupOf = (row: Counted, columns: readonly Column[]): Group => [
  ...columns.map(({ name, type }) => readCell(type, row[name]) as Value),
  Number(row['/n']),
]

/** Engines collate text differently, so the sort is done here. */
function inOrder(one: Group, other: Group): number {
  const byCount = Number(other.at(-1)) - Number(one.at(-1))
  if (byCount !== 0) return byCount
  for (const [at, value] of one.entries()) {
    const against = other[at]
    if (value === against) continue
    if (value === null || value === undefined) return 1
    return against === null || against === undefined || value < against ? -1 : 1
  }
  return 0
}
