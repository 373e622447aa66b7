import { sql } from 'kysely'
import { NO_DAY, type RowRange, rowRangesOf } from '../days.ts'
import type { KnownTables, TableEngine } from '../engine.ts'
import type { Slice } from '../positions.ts'
import type { RowQuery } from '../row-query.ts'
import { COUNT_COLUMN, firstDayOf, SPAN } from './rollup-tables.ts'
import { spansTables, tableWith } from './rollups.ts'

/**
 * Narrows a scan to the spans of days that contain a slice, by the match counts of each: returns the row range, and the
 * slice relative to its start. Undefined if the release has no rollup for it.
 */
export async function skipTo(
  engine: TableEngine,
  tables: KnownTables,
  newestFirstBy: string,
  { isWhole, words, ranges, rowRange }: RowQuery,
  { offset, limit }: Slice,
): Promise<{ rowRange: RowRange; slice: Slice } | undefined> {
  if (words.length === 0 || ranges.length > 0 || !isWhole) return undefined
  const columns = [...new Set(words.map(({ column }) => column))]
  const spans = tableWith(tables, spansTables(newestFirstBy, columns), columns)
  if (spans === undefined) return undefined
  const conditions = words.map(word => word.of(sql.ref(word.column)))
  const span = sql.ref(SPAN)
  const { rows } = await sql<{ span: number; n: unknown }>`
    select ${span} as span, sum(${sql.ref(COUNT_COLUMN)}) as n from ${engine.table(spans)}
    where ${span} is not null and ${sql.join(conditions, sql` and `)}
    group by ${span} order by ${span} desc`.execute(engine.database)

  let passed = 0
  const counted = rows.map(({ span, n }) => {
    const before = passed
    passed += Number(n)
    return { span, before, upto: passed }
  })
  const start = counted.find(({ upto }) => upto > offset)
  const end = counted.find(({ upto }) => upto >= offset + limit)
  // Rows without a day come last.
  const days = {
    from: end === undefined ? -NO_DAY : firstDayOf(end.span),
    to: start === undefined ? -NO_DAY : firstDayOf(start.span + 1) - 1,
  }
  const [found = rowRange] = await rowRangesOf(engine, newestFirstBy, [days])
  return {
    rowRange: { first: found.first, last: end === undefined ? rowRange.last : found.last },
    slice: { offset: offset - (start?.before ?? passed), limit },
  }
}
