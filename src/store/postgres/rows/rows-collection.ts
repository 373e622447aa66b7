import { type QueryExecutorProvider, type RawBuilder, sql } from 'kysely'
import { type Column, columnOf, type TableLayout } from '../../../query/layout.ts'
import {
  batchOf,
  type Collection,
  type CountKey,
  type CountQuery,
  type Filter,
  type Group,
  type Groups,
  heldGroups,
  heldResult,
  type Query,
  type Result,
  type RowBatch,
  type Selection,
  type SortKey,
  type StoredRecord,
} from '../../../query/query.ts'
import { within } from '../../../values/promises.ts'
import { StoreBusyError } from '../../store.ts'
import { conditionOf, textTest } from './conditions.ts'
import { foldedName, type ShownColumn, shown, shownValue } from './stored-columns.ts'

/**
 * Results up to this many records are read whole when the query is executed. Larger results are streamed: otherwise many slow
 * clients would each hold a large result in memory.
 */
const LARGEST_PAGE = 1000
/** Rows of one batch of a stream: few enough to read and render without delaying other requests. */
const BATCH = 400
/** Positions read by one statement of a stream. A sorted stream reads more, some 10 MB, because each part is another sort. */
const AT_ONCE = 20_000
const SORTED_AT_ONCE = 500_000
/** Far more than a register has makes or models; a search in them takes some milliseconds. */
const MOST_TEXTS = 50_000
/** How long a request waits for a count of all rows. The count goes on without the request. */
const COUNT_MS = 1500

type Row = Readonly<Record<string, unknown>>

/**
 * Executes queries by SQL on a release with `rows` rows. Rows are numbered in served order, so any unfiltered page, however
 * deep, is a range of positions. Values from users are always parameters. Counts of all rows use `long`, whose statements may
 * take longer than a request.
 */
export function rowsCollection(
  database: QueryExecutorProvider,
  table: RawBuilder<unknown>,
  layout: TableLayout,
  rows: number,
  long = database,
): Collection {
  /** The counts of all rows by one key, which never change. */
  const remembered = new Map<string, Promise<Groups>>()
  /** How many rows have each folded text, by field. Undefined while the texts are counted, and if they are too many. */
  const texts = new Map<string, readonly TextCount[] | undefined>()

  async function countTexts(field: string): Promise<void> {
    texts.set(field, undefined)
    const { rows: counted } = await sql<TextCount>`
      select ${sql.ref(foldedName(field))} as folded, count(*) as n from ${table}
      group by 1 limit ${MOST_TEXTS + 1}`.execute(long)
    if (counted.length <= MOST_TEXTS) texts.set(field, counted)
  }

  /** The texts of a field. The first call starts to count them; undefined until then. */
  function textsOf(field: string): readonly TextCount[] | undefined {
    if (!texts.has(field)) countTexts(field).catch(() => texts.delete(field))
    return texts.get(field)
  }

  const matching = (filters: readonly Filter[]) =>
    conditionOf(layout, filters, field => textsOf(field)?.map(({ folded }) => folded))

  async function countMatching(filters: readonly Filter[]): Promise<number> {
    const [filter, another] = filters
    const test = filter && another === undefined ? textTest(layout, filter) : undefined
    const known = test && textsOf(test.field)
    if (known) return known.reduce((sum, { folded, n }) => (test.holds(folded) ? sum + n : sum), 0)
    const { rows: counted } = await sql<{ n: number }>`
      select count(*) as n from ${table} where ${matching(filters)}`.execute(database)
    return counted[0]?.n ?? 0
  }

  async function count({ by, of = [], filters = [] }: CountQuery, over = database): Promise<Groups> {
    const keys = by.map(key => counted(layout, key))
    const measured = of.flatMap(field => measuresOf(layout, field))
    const cells = [...keys.map(shown), ...measured].map(
      (cell, index) => sql`${cell} as ${sql.ref(String(index))}`,
    )
    const places = sql.join(keys.map((_, index) => sql.lit(index + 1)))
    const { rows: groups } = await sql<Row & { readonly n: number }>`
      select ${sql.join(cells)}, count(*) as n from ${table} where ${matching(filters)}
      group by ${places} order by n desc, ${places}`.execute(over)
    return heldGroups(
      groups.map((row): Group => {
        const numbers = measured.map((_, index) => row[keys.length + index] as number | null)
        return [...keys.map((key, index) => shownValue(key, row[index])), ...numbers, row.n]
      }),
    )
  }

  /** Counts all rows by one key, and remembers the result. Throws {@link StoreBusyError} if counting takes long. */
  function countAll(by: readonly CountKey[]): Promise<Groups> {
    const name = JSON.stringify(by)
    const known = remembered.get(name) ?? count({ by }, long)
    remembered.set(name, known)
    known.catch(() => remembered.delete(name))
    return within(COUNT_MS, known, () => new StoreBusyError('all rows are being counted: try again'))
  }

  /** The positions of the result's rows, in result order, in parts that fit into memory. */
  async function* positionsOf(
    query: Query,
    { isServed, sort }: Order,
    limit: number,
  ): AsyncGenerator<readonly number[]> {
    const { filters = [], offset = 0 } = query
    const isRange = isServed && filters.length === 0
    const selected = ['position', ...new Set(sort.map(({ field }) => field))].map(name => sql.ref(name))
    const order = sql.join([...sort.map(orderOf), sql.ref('position')])
    let [after, skipped] = isRange ? [offset, 0] : [0, offset]

    async function next(most: number): Promise<readonly number[]> {
      if (isRange) return Array.from({ length: most }, (_, index) => after + index + 1)
      const { rows: found } = await sql<{ positions: number[] | null }>`
        select json_agg(position order by ${order}) as positions from (
          select ${sql.join(selected)} from ${table}
          where ${matching(filters)} and position > ${after}
          order by ${order} limit ${most} offset ${skipped}) as page`.execute(database)
      return found[0]?.positions ?? []
    }

    for (let left = limit; left > 0; ) {
      const positions = await next(Math.min(left, isServed ? AT_ONCE : SORTED_AT_ONCE))
      const last = positions.at(-1)
      if (last === undefined) return
      yield positions
      left -= positions.length
      if (isServed) [after, skipped] = [last, 0]
      else skipped += positions.length
    }
  }

  /** The records at positions, in their order. */
  async function recordsAt(
    positions: readonly number[],
    columns: readonly Column[],
  ): Promise<StoredRecord[]> {
    const cells = columns.map(column => sql`${shown(column)} as ${sql.ref(column.name)}`)
    const [first = 0] = positions
    const last = first + positions.length - 1
    // Reading a range takes two thirds of the time of reading a list.
    const isRange = positions.every((position, index) => position === first + index)
    const { rows: found } = await sql<Row>`
      select ${sql.join([sql.ref('position'), ...cells])} from ${table}
      where ${isRange ? sql`position between ${first} and ${last}` : sql`position = any(${positions}::bigint[])`}
      order by position`.execute(database)
    const recordOf = (row: Row) =>
      Object.fromEntries(columns.map(column => [column.name, shownValue(column, row[column.name])]))
    const records = new Map(found.map(row => [row.position, recordOf(row)]))
    return positions.flatMap(position => {
      const record = records.get(position)
      return record === undefined ? [] : [record]
    })
  }

  return {
    async execute(query): Promise<Result> {
      requireNoPlace(query)
      const { filters = [], offset = 0 } = query
      const columns = columnsOf(layout, query)
      const order = sortedBy(layout, query)
      const total = filters.length === 0 ? rows : await countMatching(filters)
      const limit = Math.max(0, Math.min(query.limit ?? rows, total - offset))

      async function* stream(): AsyncGenerator<RowBatch> {
        for await (const positions of positionsOf(query, order, limit))
          for (let start = 0; start < positions.length; start += BATCH) {
            const records = await recordsAt(positions.slice(start, start + BATCH), columns)
            if (records.length > 0) yield batchOf(records)
          }
      }

      if (limit > LARGEST_PAGE) return { total, json: tooLarge, batches: stream }
      const page: StoredRecord[] = []
      for await (const positions of positionsOf(query, order, limit))
        page.push(...(await recordsAt(positions, columns)))
      return heldResult(total, page)
    },

    async count(query) {
      requireNoPlace(query)
      const { by, of = [], filters = [] } = query
      const isOfAll = filters.length === 0 && of.length === 0
      return isOfAll && isRemembered(layout, by) ? countAll(by) : count(query)
    },
  }
}

interface TextCount {
  readonly folded: string
  readonly n: number
}

interface Order {
  readonly isServed: boolean
  readonly sort: readonly SortKey[]
}

/**
 * The sort order of a query, and whether it is the served order, by position. A filter on the ordering day makes the day the
 * first key: the day's index then gives the rows of the range in order. By position alone, the planner may read all newer
 * rows first, because it assumes that days are spread evenly over positions.
 */
function sortedBy({ columns, newestFirstBy }: TableLayout, { filters = [], sort = [] }: Query): Order {
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

/** The column, or part of a column, that a key counts by. Throws RangeError for an unknown field or a part that it lacks. */
function counted(layout: TableLayout, key: CountKey): ShownColumn {
  if (typeof key === 'string') return columnOf(layout, key)
  const { name, type } = columnOf(layout, key.field)
  if (type !== 'day') throw new RangeError(`field "${name}" is no date`)
  return { name, type, part: key.part }
}

/** The measures of a field. Throws RangeError for a field that is no number. A cast to text keeps every digit, unlike one to numeric. */
function measuresOf(layout: TableLayout, field: string): RawBuilder<unknown>[] {
  const { name, type } = columnOf(layout, field)
  if (type !== 'number') throw new RangeError(`field "${name}" is no number`)
  const cell = sql.ref(name)
  return [sql`count(${cell})`, sql`sum(${cell}::text::numeric)`, sql`min(${cell})`, sql`max(${cell})`]
}

/** Whether to remember counts: by one word or part of a date. Numbers and digests may have a group for every row. */
const isRemembered = (layout: TableLayout, [key, another]: readonly CountKey[]): boolean =>
  key !== undefined &&
  another === undefined &&
  (typeof key !== 'string' || columnOf(layout, key).type === 'word')

/** The requested columns, in the order of the layout. */
function columnsOf(layout: TableLayout, { fields }: Query): readonly Column[] {
  for (const field of fields ?? []) columnOf(layout, field)
  return fields === undefined ? layout.columns : layout.columns.filter(({ name }) => fields.includes(name))
}

function requireNoPlace({ place }: Selection): void {
  if (place !== undefined) throw new RangeError('the records of a table have no place')
}

function tooLarge(): never {
  throw new RangeError(`more than ${LARGEST_PAGE} records do not fit in memory: read them in batches`)
}
