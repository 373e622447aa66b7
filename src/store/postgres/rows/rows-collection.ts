import { type QueryExecutorProvider, type RawBuilder, sql } from 'kysely'
import { batchOf } from '../../../query/batches.ts'
import type { Collection } from '../../../query/collection.ts'
import { heldGroups } from '../../../query/groups.ts'
import { type Column, columnOf, type TableLayout } from '../../../query/layout.ts'
import type { CountKey, CountQuery, Query, Selection, SortKey, StoredRecord } from '../../../query/query.ts'
import type { Groups, Result, RowBatch } from '../../../query/result.ts'
import { within } from '../../../values/promises.ts'
import { contentOf } from '../../encoding/content.ts'
import { StoreBusyError } from '../../store.ts'
import { type Condition, conditionsOf, where } from './conditions.ts'
import { countGroups, keysOf } from './group-counts.ts'
import { recordsAt, recordsIn, storedRows, streamAt, streamIn } from './stored-rows.ts'

/**
 * Results up to this many records are read whole when the query is executed. Larger results are streamed, because many slow
 * clients would each hold one in memory.
 */
const LARGEST_PAGE = 1000
/** How long a request waits for a count of all rows, which goes on without it. */
const COUNT_MS = 1500
/** Positions of a sorted stream that are read at once: some 10 MB, at the cost of another sort for more. */
const SORTED_AT_ONCE = 500_000

/**
 * Executes queries by SQL on a release with so many rows. Rows are numbered in served order, so an unfiltered page, however
 * deep, is a range of positions. Values from users are always parameters. Counts of all rows are executed over `long`, whose
 * statements may take longer than a request.
 */
export function rowsCollection(
  database: QueryExecutorProvider,
  schema: string,
  id: string,
  layout: TableLayout,
  rows: number,
  long = database,
): Collection {
  const stored = storedRows(database, schema, id)
  const { table } = stored
  /** The counts of all rows by one key, which never change. */
  const remembered = new Map<string, Promise<Groups>>()

  async function totalOf(conditions: readonly Condition[]): Promise<number> {
    if (conditions.length === 0) return rows
    const { rows: counted } = await sql<{ n: number }>`
      select count(*) as n from ${table} ${where(conditions)}`.execute(database)
    return counted[0]?.n ?? 0
  }

  /** The positions of a slice of the matching rows, sorted. */
  async function positionsOf(
    conditions: readonly Condition[],
    sort: readonly SortKey[],
    { offset, limit }: Slice,
  ): Promise<readonly number[]> {
    const selected = ['position', ...new Set(sort.map(({ field }) => field))].map(name => sql.ref(name))
    const order = sql.join([...sort.map(orderOf), sql.ref('position')])
    const { rows: found } = await sql<{ positions: number[] | null }>`
      select json_agg(position order by ${order}) as positions from (
        select ${sql.join(selected)} from ${table} ${where(conditions)}
        order by ${order} limit ${limit} offset ${offset}) as page`.execute(database)
    return found[0]?.positions ?? []
  }

  async function count({ by, filters = [] }: CountQuery, from = stored): Promise<Groups> {
    return heldGroups(await countGroups(from, keysOf(layout, by), conditionsOf(layout, filters)))
  }

  /** Counts all rows by one key; the next time this is known. Throws {@link StoreBusyError} if that takes long. */
  function countAll(by: readonly CountKey[]): Promise<Groups> {
    const name = JSON.stringify(by)
    const known = remembered.get(name) ?? count({ by }, { ...stored, database: long })
    remembered.set(name, known)
    known.catch(() => remembered.delete(name))
    return within(COUNT_MS, known, () => new StoreBusyError('all rows are being counted: try again'))
  }

  return {
    async execute(query): Promise<Result> {
      requireNoPlace(query)
      const { filters = [], offset = 0 } = query
      const conditions = conditionsOf(layout, filters)
      const columns = columnsOf(layout, query.fields)
      const { isServed, sort } = sortedBy(layout, query)
      const isRange = isServed && conditions.length === 0
      const total = await totalOf(conditions)
      const limit = Math.max(0, Math.min(query.limit ?? rows, total - offset))

      async function* stream(): AsyncGenerator<RowBatch> {
        if (isServed) {
          const [first = 1] = isRange
            ? [offset + 1]
            : await positionsOf(conditions, sort, { offset, limit: 1 })
          return yield* streamIn(stored, columns, conditions, { first, last: rows }, limit)
        }
        for (let start = 0; start < limit; start += SORTED_AT_ONCE) {
          const slice = { offset: offset + start, limit: Math.min(SORTED_AT_ONCE, limit - start) }
          yield* streamAt(stored, columns, await positionsOf(conditions, sort, slice))
        }
      }

      async function page(): Promise<readonly StoredRecord[]> {
        if (limit === 0) return []
        if (isRange) return recordsIn(stored, columns, { first: offset + 1, last: offset + limit })
        return recordsAt(stored, columns, await positionsOf(conditions, sort, { offset, limit }))
      }

      if (limit > LARGEST_PAGE) return { total, json: tooLarge, batches: stream }
      const found = await page()
      return {
        total,
        json: (before = '', after = '') => Buffer.from(before + found.map(contentOf).join(',') + after),
        async *batches() {
          if (found.length > 0) yield batchOf(found)
        },
      }
    },

    async count(query) {
      requireNoPlace(query)
      const { by, filters = [] } = query
      return isRemembered(layout, by) && filters.length === 0 ? countAll(by) : count(query)
    },
  }
}

interface Slice {
  readonly offset: number
  readonly limit: number
}

/**
 * How a query's rows are sorted, and whether that is the served order, by position. A filter on the ordering day makes the
 * day the first key. Its index then gives the rows of the range in order. By position alone, the planner may read all newer
 * rows first, because it takes days to be spread evenly over positions.
 */
function sortedBy({ columns, newestFirstBy }: TableLayout, { filters = [], sort = [] }: Query) {
  for (const { field } of sort) columnOf({ columns }, field)
  const [first, another] = sort
  const isServed =
    first === undefined ||
    (another === undefined && first.field === newestFirstBy && first.direction === 'descending')
  const served: SortKey[] = filters.some(filter => 'field' in filter && filter.field === newestFirstBy)
    ? [{ field: newestFirstBy, direction: 'descending' }]
    : []
  return { isServed, sort: isServed ? served : sort }
}

const orderOf = ({ field, direction }: SortKey): RawBuilder<unknown> =>
  sql`${sql.ref(field)} ${sql.raw(direction === 'ascending' ? 'asc' : 'desc')} nulls last`

/** Counts by one word or part of a date; those by numbers and digests may have as many groups as there are rows. */
const isRemembered = (layout: TableLayout, [key, another]: readonly CountKey[]): boolean =>
  key !== undefined &&
  another === undefined &&
  (typeof key !== 'string' || columnOf(layout, key).type === 'word')

/** The requested columns, in the order of the layout. */
function columnsOf(layout: TableLayout, fields: readonly string[] | undefined): readonly Column[] {
  for (const field of fields ?? []) columnOf(layout, field)
  return fields === undefined ? layout.columns : layout.columns.filter(({ name }) => fields.includes(name))
}

function requireNoPlace({ place }: Selection): void {
  if (place !== undefined) throw new RangeError('the records of a table have no place')
}

function tooLarge(): never {
  throw new RangeError(`more than ${LARGEST_PAGE} records do not fit in memory: read them in batches`)
}
