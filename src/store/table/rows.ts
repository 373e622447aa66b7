import { type RawBuilder, sql } from 'kysely'
import type { StoredRecord } from '../../query/query.ts'
import { readRow } from '../encoding/cells.ts'
import type { Column } from '../layout.ts'
import { length, type RowRange } from './days.ts'
import type { TableEngine } from './engine.ts'
import { inRowRange } from './row-query.ts'

/** Reads the records at these positions, in their order, with these columns. */
export async function recordsAt(
  engine: TableEngine,
  columns: readonly Column[],
  positions: ArrayLike<number>,
): Promise<StoredRecord[]> {
  if (positions.length === 0) return []
  const { rows } = await sql<Row>`
    select ${POSITION}, ${shownColumns(engine, columns, 'rows')} from ${engine.table('rows')} as rows
    where ${amongPositions(engine, positions)} order by position`.execute(engine.database)
  const records = new Map(rows.map(row => [row.position, readRow({ columns }, row)]))
  return Array.from(positions, position => records.get(position) ?? {})
}

export type Row = Readonly<Record<string, unknown>> & { readonly position: number }

export const POSITION = sql.ref('rows.position')

/** Consecutive positions are read as a range of rows, which is faster. */
function amongPositions(engine: TableEngine, positions: ArrayLike<number>) {
  let rowRange: RowRange = { first: positions[0] ?? 1, last: positions[0] ?? 0 }
  for (let at = 1; at < positions.length; at++) {
    if (positions[at] !== rowRange.last + 1)
      return engine.among(sql.ref('position'), Array.from(positions).join(','))
    rowRange = { first: rowRange.first, last: rowRange.last + 1 }
  }
  return length(rowRange) > 0 ? inRowRange(rowRange) : sql<boolean>`false`
}

/** Each column of a table under its own name, with values in place of dictionary codes. */
export function shownColumns(
  engine: TableEngine,
  columns: readonly Column[],
  table: string,
): RawBuilder<unknown> {
  return sql.join(
    columns.map(({ name, type }) => {
      const cell = sql.ref(`${table}.${name}`)
      return type === 'word'
        ? sql`(select value from ${engine.table(`words_${name}`)} where id = ${cell}) as ${sql.ref(name)}`
        : sql`${cell} as ${sql.ref(name)}`
    }),
  )
}
