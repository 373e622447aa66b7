import { batchOf } from '../../query/batches.ts'
import type { Collection } from '../../query/collection.ts'
import type { Query, Selection } from '../../query/query.ts'
import type { Result, RowBatch } from '../../query/result.ts'
import { contentOf } from '../encoding/content.ts'
import type { TableLayout } from '../layout.ts'
import { countsOf } from './counts.ts'
import type { KnownTables, TableEngine } from './engine.ts'
import { isServedOrder, sortedPositions } from './order.ts'
import { positionsOf, type Slice } from './positions.ts'
import { columnOf, type RowQuery, resolveQuery } from './row-query.ts'
import { recordsAt } from './rows.ts'
import { streamAt, streamFrom } from './stream.ts'
import { totalOf } from './totals.ts'

/** Results up to this many records are read at once as the query is executed; larger ones can only be streamed. */
const LARGEST_PAGE = 10_000

/**
 * Executes queries by SQL on a release with this number of rows. Rows are numbered in served order, so a range on the
 * ordering day, and an unfiltered page however deep, are ranges of positions. Values from users are always parameters:
 * the text of a statement depends only on the columns and the kinds of filters.
 */
export function tableCollection(engine: TableEngine, layout: TableLayout, rows: number): Collection {
  let known: Promise<KnownTables> | undefined
  /** A release never gains a table, so the tables are looked up once. */
  function tables(): Promise<KnownTables> {
    known ??= engine.tables().catch(error => {
      known = undefined
      throw error
    })
    return known
  }
  async function resolved({ filters = [], place }: Selection): Promise<RowQuery> {
    if (place !== undefined) throw new RangeError('the records of a table have no place')
    return resolveQuery(engine, await tables(), layout, rows, filters)
  }

  /** The positions of a non-empty slice, in the requested order. */
  async function positions(
    rowQuery: RowQuery,
    { sort = [] }: Query,
    total: number,
    slice: Slice,
  ): Promise<ArrayLike<number>> {
    return isServedOrder(sort, layout)
      ? positionsOf(engine, await tables(), layout.newestFirstBy, rowQuery, total, slice)
      : sortedPositions(engine, layout, rowQuery, sort, slice)
  }

  async function* stream(
    rowQuery: RowQuery,
    query: Query,
    total: number,
    slice: Slice,
  ): AsyncGenerator<RowBatch> {
    const columns = columnsOf(layout, query.fields)
    if (!isServedOrder(query.sort ?? [], layout))
      return yield* streamAt(
        engine,
        columns,
        await sortedPositions(engine, layout, rowQuery, query.sort ?? [], slice),
      )
    const [from = 1] = Array.from(await positions(rowQuery, query, total, { ...slice, limit: 1 }))
    yield* streamFrom(engine, columns, rowQuery, from, slice.limit)
  }

  return {
    async execute(query): Promise<Result> {
      const rowQuery = await resolved(query)
      for (const { field } of query.sort ?? []) columnOf(layout, field)
      const columns = columnsOf(layout, query.fields)
      const total = await totalOf(engine, await tables(), rowQuery)
      const offset = query.offset ?? 0
      const slice = { offset, limit: Math.max(0, Math.min(query.limit ?? rows, total - offset)) }
      if (slice.limit > LARGEST_PAGE)
        return { total, json: tooLarge, batches: () => stream(rowQuery, query, total, slice) }
      const found = slice.limit === 0 ? [] : await positions(rowQuery, query, total, slice)
      const records = await recordsAt(engine, columns, found)
      const json = (before = '', after = '') => Buffer.from(before + records.map(contentOf).join(',') + after)
      return { total, json, batches: () => inOneBatch(records.length > 0 ? [batchOf(records)] : []) }
    },

    async count(query) {
      const columns = query.by.map(field => columnOf(layout, field))
      return countsOf(engine, await tables(), await resolved(query), columns)
    },
  }
}

async function* inOneBatch(batches: readonly RowBatch[]): AsyncGenerator<RowBatch> {
  yield* batches
}

function tooLarge(): never {
  throw new RangeError(`more than ${LARGEST_PAGE} records do not fit in memory: read them in batches`)
}

/** The requested columns, in the order of the layout. */
function columnsOf(layout: TableLayout, fields: readonly string[] | undefined) {
  for (const field of fields ?? []) columnOf(layout, field)
  return fields === undefined ? layout.columns : layout.columns.filter(({ name }) => fields.includes(name))
}
