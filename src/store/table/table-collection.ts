import { batchOf } from '../../query/batches.ts'
import type { Collection } from '../../query/collection.ts'
import { heldGroups } from '../../query/groups.ts'
import type { Selection } from '../../query/query.ts'
import type { Result, RowBatch } from '../../query/result.ts'
import { contentOf } from '../encoding/content.ts'
import type { TableLayout } from '../layout.ts'
import { countsOf, totalOf } from './counts.ts'
import { earlierFolds } from './earlier-folds.ts'
import type { StoredTable, TableEngine } from './engine.ts'
import { isServedOrder, sortedPositions } from './order.ts'
import { positionsOf } from './positions.ts'
import { type Rollups, rollupsOf } from './rollups/rollups.ts'
import { columnOf, type RowQuery, resolveQuery } from './row-query.ts'
import { recordsAt, streamAt, streamFrom } from './rows.ts'

/**
 * Results up to this many records are read at once as the query is executed; larger ones can only be streamed, as each of
 * many clients that do not read would hold them.
 */
const LARGEST_PAGE = 1000
/** Positions of a sorted stream read at once: some 10 MB with the driver's buffers, at the cost of another sort for more. */
const SORTED_AT_ONCE = 500_000

/**
 * Executes queries by SQL on a release with this number of rows. Rows are numbered in served order, so a range on the
 * ordering day, and an unfiltered page however deep, are ranges of positions. Values from users are always parameters:
 * the text of a statement depends only on the columns and the kinds of filters.
 */
export function tableCollection(engine: TableEngine, layout: TableLayout, rows: number): Collection {
  let rollups: Promise<Rollups> | undefined
  const folds = earlierFolds(engine)
  /** A release never gains a rollup, so they are looked up once. */
  async function table(): Promise<StoredTable> {
    rollups ??= rollupsOf(engine, layout.newestFirstBy).catch(error => {
      rollups = undefined
      throw error
    })
    return { engine, layout, rows, rollups: await rollups, earlierFolds: folds }
  }
  async function resolved({ filters = [], place }: Selection): Promise<[StoredTable, RowQuery]> {
    if (place !== undefined) throw new RangeError('the records of a table have no place')
    const stored = await table()
    return [stored, await resolveQuery(stored, filters)]
  }

  return {
    async execute(query): Promise<Result> {
      const [stored, rowQuery] = await resolved(query)
      const { sort = [] } = query
      for (const { field } of sort) columnOf(layout, field)
      const columns = columnsOf(layout, query.fields)
      const total = await totalOf(stored, rowQuery)
      const offset = query.offset ?? 0
      const slice = { offset, limit: Math.max(0, Math.min(query.limit ?? rows, total - offset)) }
      const isServed = isServedOrder(sort, layout)

      async function* stream(): AsyncGenerator<RowBatch> {
        for (let start = 0; !isServed && start < slice.limit; start += SORTED_AT_ONCE) {
          const part = { offset: offset + start, limit: Math.min(SORTED_AT_ONCE, slice.limit - start) }
          yield* streamAt(engine, columns, await sortedPositions(stored, rowQuery, sort, part))
        }
        if (!isServed) return
        const [from = 1] = await positionsOf(stored, rowQuery, total, { offset, limit: 1 })
        yield* streamFrom(engine, columns, rowQuery, from, slice.limit)
      }

      if (slice.limit > LARGEST_PAGE) return { total, json: tooLarge, batches: stream }
      const found =
        slice.limit === 0
          ? []
          : isServed
            ? await positionsOf(stored, rowQuery, total, slice)
            : await sortedPositions(stored, rowQuery, sort, slice)
      const records = await recordsAt(engine, columns, found)
      const json = (before = '', after = '') => Buffer.from(before + records.map(contentOf).join(',') + after)
      return { total, json, batches: () => inOneBatch(records.length > 0 ? [batchOf(records)] : []) }
    },

    async count(query) {
      return heldGroups(await countsOf(...(await resolved(query)), query.by))
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
