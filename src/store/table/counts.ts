import { type RawBuilder, sql } from 'kysely'
import { compareGroups } from '../../query/order.ts'
import type { Value } from '../../query/query.ts'
import type { Group } from '../../query/result.ts'
import { readCell } from '../encoding/cells.ts'
import type { Column } from '../layout.ts'
import { COUNT, countBy, type StoredTable } from './engine.ts'
import { length } from './ranges.ts'
import { conditionsOf, onlyRange, type RowQuery } from './row-query.ts'
import { shownColumns } from './rows.ts'

type Counted = Readonly<Record<string, unknown>>

/** The number of rows that match a query: from the rollups where they suffice, else by counting rows. */
export async function totalOf(table: StoredTable, rowQuery: RowQuery): Promise<number> {
  const { rowRange, isWhole, isEmpty, words, ranges } = rowQuery
  if (isEmpty) return 0
  const [word, another] = words
  if (word === undefined && ranges.length === 0) return length(rowRange)
  if (word !== undefined && another === undefined && isWhole && ranges.length === 0) return word.rows
  const range = word === undefined ? onlyRange(rowQuery) : undefined
  const inRange = range && (await table.rollups.rowsIn(range))
  if (inRange !== undefined) return inRange
  const { rows } = await (await counted(table, rowQuery, [])).execute(table.engine.database)
  return Number(rows[0]?.['/n'] ?? 0)
}

/** Counts the matching rows by the values of columns: highest count first, ties in the order of the values. */
export async function countsOf(
  table: StoredTable,
  rowQuery: RowQuery,
  columns: readonly Column[],
): Promise<Group[]> {
  if (rowQuery.isEmpty) return []
  const { engine } = table
  const [first, another] = columns
  const isFree = rowQuery.isWhole && rowQuery.words.length === 0 && rowQuery.ranges.length === 0
  const { rows } = await (isFree && first?.type === 'word' && another === undefined
    ? sql<Counted>`select value as ${sql.ref(first.name)}, count as ${COUNT} from ${engine.table(`words_${first.name}`)}`
    : sql<Counted>`
        select ${shownColumns(engine, columns, 'counts')}, ${COUNT}
        from (${await counted(table, rowQuery, columns)}) as counts`
  ).execute(engine.database)
  // Engines collate text differently.
  return rows.map(row => groupOf(row, columns)).sort(compareGroups)
}

/** The counts by codes: from the rollups where the release has them, else by counting rows. */
async function counted(
  { engine, rollups }: StoredTable,
  rowQuery: RowQuery,
  columns: readonly Column[],
): Promise<RawBuilder<Counted>> {
  const names = columns.map(({ name }) => name)
  const areWords = columns.every(({ type }) => type === 'word')
  return (
    (areWords ? await rollups.counts(rowQuery, names) : undefined) ??
    countBy(
      names,
      sql`count(*)`,
      sql`${engine.table('rows')} as rows where ${conditionsOf(engine, rowQuery)}`,
    )
  )
}

const groupOf = (row: Counted, columns: readonly Column[]): Group => [
  ...columns.map(({ name, type }) => readCell(type, row[name]) as Value),
  Number(row['/n']),
]
