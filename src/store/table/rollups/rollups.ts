import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { countBy, type KnownTables, type TableEngine } from '../engine.ts'
import type { Slice } from '../positions.ts'
import { type Days, inRange, inRowRange, NO_DAY, type RowRange } from '../ranges.ts'
import { onlyRange, type Range, type RowQuery } from '../row-query.ts'
import type { WordCondition } from '../words.ts'
import { blockText } from './dictionary-blocks.ts'
import {
  blockOf,
  blocksOf,
  COMBINED,
  COMBINED_ALL,
  COUNT_COLUMN,
  daysOf,
  firstDayOf,
  SPAN,
  spanFrom,
  spansOf,
  spanUntil,
} from './rollup-tables.ts'

/** What a release has counted at import. Undefined results are for what it has not: then the rows are read. */
export interface Rollups {
  /** The number of rows in a range of days. */
  rowsIn(range: Range): Promise<number | undefined>
  /** The row range of a range of the ordering day. */
  rowRangeOf(days: Days): Promise<RowRange | undefined>
  /** Selects the number of rows that match a query by columns. */
  counts(
    rowQuery: RowQuery,
    columns: readonly string[],
  ): Promise<RawBuilder<Readonly<Record<string, unknown>>> | undefined>
  /**
   * Narrows a scan to the spans of days that contain a slice of the matching rows: the row range, and the slice relative
   * to its start.
   */
  narrow(rowQuery: RowQuery, slice: Slice): Promise<{ rowRange: RowRange; slice: Slice } | undefined>
  /** Whether the column's dictionary is in blocks; if so, its index holds all columns that conditions use. */
  hasBlocks(column: string): boolean
  /** The dictionary blocks of a column that contain a text, or a whole value, as a list for {@link TableEngine.among}. */
  blocksWith(column: string, text: string, isWhole: boolean): Promise<string | undefined>
}

/** If more blocks than this contain a text, all values of the dictionary are searched at once. */
const MOST_BLOCKS = 2000
const NO_DAYS: Days = { from: 1, to: 0 }

/** Looks up which rollups a release has, if any. */
export async function rollupsOf(engine: TableEngine, newestFirstBy: string): Promise<Rollups> {
  const { database, table } = engine
  const tables: KnownTables = (await engine.tables?.()) ?? new Map()

  /** For each of these days, the number of rows with an earlier one. */
  async function rowsBefore(column: string, days: readonly number[]): Promise<number[]> {
    const before = days.map(
      (day, index) =>
        sql`coalesce((select upto from ${table(daysOf(column))} where day < ${day} order by day desc limit 1), 0) as ${sql.ref(`d${index}`)}`,
    )
    const { rows } = await sql<Record<string, unknown>>`select ${sql.join(before)}`.execute(database)
    return days.map((_, index) => Number(rows[0]?.[`d${index}`]))
  }

  /** The row ranges of ranges of the ordering day. */
  async function rowRangesOf(ranges: readonly Days[]): Promise<RowRange[]> {
    const ends = ranges.flatMap(({ from, to }) => [from, to + 1])
    const [dated = 0, ...before] = await rowsBefore(newestFirstBy, [NO_DAY, ...ends])
    return ranges.map((_, index) => ({
      first: dated - (before[2 * index + 1] ?? 0) + 1,
      last: dated - (before[2 * index] ?? 0),
    }))
  }

  /** The first of these tables that has all columns. */
  const tableWith = (names: readonly string[], columns: readonly string[]): string | undefined =>
    names.find(name => columns.every(column => tables.get(name)?.has(column)))

  /** The smallest table that has these columns by spans of days. */
  const spansWith = (day: string, columns: readonly string[]): string | undefined =>
    tableWith(columns.length === 1 ? [spansOf(day, columns[0]), spansOf(day)] : [spansOf(day)], columns)

  /** Entries are clustered by these dictionary blocks, which are fewer than the values. */
  const inBlocks = (rollup: string, words: readonly WordCondition[]): RawBuilder<SqlBool>[] =>
    words.flatMap(({ columns: [column = ''], blocks }) =>
      blocks !== undefined && tables.get(rollup)?.has(blockOf(column))
        ? [engine.among(sql.ref(blockOf(column)), blocks)]
        : [],
    )

  /** Reads whole spans from the rollup, and counts rows only for the days at both ends. */
  async function countedInRange(
    spans: string,
    columns: readonly string[],
    { ordered }: RowQuery,
    range: Range,
  ): Promise<RawBuilder<unknown>> {
    const { first, last, ends } = partsOf(range.days)
    const atEnds =
      range === ordered
        ? (await rowRangesOf(ends)).map(inRowRange)
        : ends.map(days => inRange(sql.ref(range.column), days))
    const names = sql.join(columns.map(column => sql.ref(column)))
    const counted = atEnds.map(
      met => sql`select ${names}, count(*) from ${table('rows')} where ${met} group by ${names}`,
    )
    const read = sql`
      select ${names}, ${sql.ref(COUNT_COLUMN)} from ${table(spans)} where ${sql.ref(SPAN)} between ${first} and ${last}`
    return sql`(${sql.join([read, ...counted], sql` union all `)}) as counted`
  }

  return {
    async rowsIn({ column, days: { from, to } }) {
      if (!tables.has(daysOf(column))) return undefined
      const [before = 0, upto = 0] = await rowsBefore(column, [from, to + 1])
      return upto - before
    },
    async rowRangeOf(days) {
      return tables.has(daysOf(newestFirstBy)) ? (await rowRangesOf([days]))[0] : undefined
    },
    async counts(rowQuery, columns) {
      const { isWhole, words, ranges } = rowQuery
      const wanted = [...new Set([...words.flatMap(word => word.columns), ...columns])]
      if (wanted.length === 0) return undefined
      const range = onlyRange(rowQuery)
      const isAll = isWhole && ranges.length === 0
      const rollup = isAll
        ? tableWith([COMBINED, COMBINED_ALL], wanted)
        : range && spansWith(range.column, wanted)
      if (rollup === undefined) return undefined
      const source =
        isAll || range === undefined ? table(rollup) : await countedInRange(rollup, wanted, rowQuery, range)
      const conditions = [
        ...inBlocks(rollup, words),
        ...words.map(word => word.of(column => sql.ref(column))),
      ]
      const where = conditions.length > 0 ? sql` where ${sql.join(conditions, sql` and `)}` : sql``
      return countBy(
        columns.map(name => ({ name })),
        sql`sum(${sql.ref(COUNT_COLUMN)})`,
        sql`${source}${where}`,
      )
    },
    async narrow({ isWhole, words, ranges, rowRange }, { offset, limit }) {
      const columns = [...new Set(words.flatMap(word => word.columns))]
      const spans = spansWith(newestFirstBy, columns)
      if (columns.length === 0 || ranges.length > 0 || !isWhole || spans === undefined) return undefined
      const conditions = words.map(word => word.of(column => sql.ref(column)))
      const span = sql.ref(SPAN)
      const { rows } = await sql<{ span: number; n: unknown }>`
        select ${span} as span, sum(${sql.ref(COUNT_COLUMN)}) as n from ${table(spans)}
        where ${span} is not null and ${sql.join(conditions, sql` and `)}
        group by ${span} order by ${span} desc`.execute(database)
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
      const [found = rowRange] = await rowRangesOf([days])
      return {
        rowRange: { first: found.first, last: end === undefined ? rowRange.last : found.last },
        slice: { offset: offset - (start?.before ?? passed), limit },
      }
    },
    hasBlocks: column => tables.has(blocksOf(column)),
    async blocksWith(column, text, isWhole) {
      if (!tables.has(blocksOf(column))) return undefined
      const contained = engine.contains(sql.ref('text'), isWhole ? blockText([text]) : text)
      const { rows } = await sql<{ blocks: string | null }>`
        select case when count(*) <= ${sql.lit(MOST_BLOCKS)} then coalesce(${engine.list(sql.ref('id'))}, '') end as blocks
        from ${table(blocksOf(column))} where ${contained}`.execute(database)
      return rows[0]?.blocks ?? undefined
    },
  }
}

/** The whole spans of a range, and the days before and after them. */
function partsOf({ from, to }: Days): { first: number; last: number; ends: readonly [Days, Days] } {
  const [first, last] = [spanFrom(from), spanUntil(to)]
  if (first > last) return { first, last, ends: [{ from, to }, NO_DAYS] }
  return {
    ...{ first, last },
    ends: [
      { from, to: firstDayOf(first) - 1 },
      { from: firstDayOf(last + 1), to },
    ],
  }
}
