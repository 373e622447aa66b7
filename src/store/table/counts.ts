import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { compareGroups } from '../../query/order.ts'
import type { CountKey, Value } from '../../query/query.ts'
import type { Group } from '../../query/result.ts'
import { readCell } from '../encoding/cells.ts'
import type { Column, TableLayout } from '../layout.ts'
import { countInSteps, STEP_ROWS } from './counts-in-steps.ts'
import { type DatePartColumn, datePartColumn, readDatePart } from './date-parts.ts'
import { COUNT, countBy, type StoredTable } from './engine.ts'
import { matchesInRange } from './positions.ts'
import { length } from './ranges.ts'
import { columnOf, conditionsOf, onlyRange, type RowQuery } from './row-query.ts'
import { shownColumns } from './rows.ts'

type Counted = Readonly<Record<string, unknown>>

/** The number of rows that match a query: from the rollups where they suffice, else by counting rows. */
export async function totalOf(table: StoredTable, rowQuery: RowQuery): Promise<number> {
  const { rowRange, isWhole, isEmpty, words, ranges } = rowQuery
  if (isEmpty) return 0
  const [word, another] = words
  if (word === undefined && ranges.length === 0) return length(rowRange)
  const isOnly = word?.columns.length === 1 && another === undefined && isWhole && ranges.length === 0
  if (isOnly) return word.rows
  const range = word === undefined ? onlyRange(rowQuery) : undefined
  const inRange = range && (await table.rollups.rowsIn(range))
  if (inRange !== undefined) return inRange
  const { rows } = await (await counted(table, rowQuery, [])).execute(table.engine.database)
  return Number(rows[0]?.['/n'] ?? 0)
}

/** Counts the matching rows by the values of keys: highest count first, ties in the order of the values. */
export async function countsOf(
  table: StoredTable,
  rowQuery: RowQuery,
  by: readonly CountKey[],
): Promise<Group[]> {
  const { engine, layout } = table
  const columns = by.map(key => keyColumn(layout, key))
  if (rowQuery.isEmpty) return []
  const [first, another] = columns
  const isFree = rowQuery.isWhole && rowQuery.words.length === 0 && rowQuery.ranges.length === 0
  const read = async (counts: RawBuilder<Counted>): Promise<Group[]> => {
    const { rows } = await counts.execute(engine.database)
    return rows.map(row => groupOf(row, columns))
  }
  const show = (counts: RawBuilder<Counted>) =>
    sql<Counted>`select ${shownColumns(engine, columns, 'counts')}, ${COUNT} from (${counts}) as counts`
  if (engine.blocks && another !== undefined && isLong(rowQuery))
    return countInSteps(rowQuery.rowRange, range =>
      read(show(countRows(table, columns, matchesInRange(rowQuery, range)))),
    )
  const groups = await read(
    isFree && first?.type === 'word' && another === undefined
      ? sql<Counted>`select value as ${sql.ref(first.name)}, count as ${COUNT} from ${engine.table(`words_${first.name}`)}`
      : show(await counted(table, rowQuery, columns)),
  )
  // Engines collate text differently.
  return groups.sort(compareGroups)
}

/** Whether so many rows may match that they are counted in steps. */
const isLong = ({ rowRange, words }: RowQuery): boolean =>
  Math.min(length(rowRange), ...words.map(word => word.rows)) > STEP_ROWS

/** A column of the counts: one of the table, or a part of the dates in one. */
type KeyColumn = Column | DatePartColumn

/** The column of a key. Throws RangeError where the table has none. */
function keyColumn(layout: TableLayout, key: CountKey): KeyColumn {
  if (typeof key === 'string') return columnOf(layout, key)
  const { name, type } = columnOf(layout, key.field)
  if (type !== 'day') throw new RangeError(`column "${name}" has no dates`)
  return datePartColumn(name, key.part)
}

/** The counts by codes: from the rollups where the release has them, else by counting rows. */
async function counted(
  table: StoredTable,
  rowQuery: RowQuery,
  columns: readonly KeyColumn[],
): Promise<RawBuilder<Counted>> {
  const names = columns.map(({ name }) => name)
  const areWords = columns.every(({ type }) => type === 'word')
  return (
    (areWords ? await table.rollups.counts(rowQuery, names) : undefined) ??
    countRows(table, columns, conditionsOf(table.engine, rowQuery))
  )
}

function countRows(
  { engine }: StoredTable,
  columns: readonly KeyColumn[],
  conditions: RawBuilder<SqlBool>,
): RawBuilder<Counted> {
  // The unary plus keeps the engine from reading the rows in the order of a column's index, far apart.
  const isSteered = engine.guesses && columns.length > 1
  const cells = columns.map(column =>
    'cell' in column || !isSteered ? column : { ...column, cell: sql`+${sql.ref(column.name)}` },
  )
  return countBy(cells, sql`count(*)`, sql`${engine.table('rows')} as rows where ${conditions}`)
}

const groupOf = (row: Counted, columns: readonly KeyColumn[]): Group => [
  ...columns.map(column =>
    'part' in column
      ? readDatePart(column, row[column.name])
      : (readCell(column.type, row[column.name]) as Value),
  ),
  Number(row['/n']),
]
