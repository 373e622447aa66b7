import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'
import { readRow } from './cells.ts'
import { contentOf } from './content.ts'
import { dayNumber } from './day-number.ts'
import { fold } from './fold.ts'
import type { Column, Filter, Table, TableLayout } from './layout.ts'
import { readText } from './plain-text.ts'

/** What the queries of a table need of an engine besides standard SQL. */
export interface TableEngine {
  readonly database: Kysely<unknown>
  /** One of the release's tables (`rows`, `words_` and a column); by default they go by those names. */
  table?(name: string): RawBuilder<unknown>
  /**
   * Whether the codes of words are looked up before their rows are: a planner that sees the codes themselves knows how
   * many rows to expect.
   */
  readonly codesFirst?: boolean
  /** True where the first text contains the second; every character of it is plain. */
  contains(text: RawBuilder<unknown>, part: string): RawBuilder<SqlBool>
}

/** The positions, counted from 1, between which rows are looked for; none if `first` is above `last`. */
interface Stretch {
  readonly first: number
  readonly last: number
}

/**
 * Answers the questions about a release of so many rows by SQL. Rows are numbered in served order, so a range on the
 * ordering day, and an unfiltered page however deep, are stretches of numbers. What users send is only ever a
 * parameter: the text of a statement depends on which columns are asked about, and how, alone.
 */
export function tableQueries(engine: TableEngine, layout: TableLayout, rows: number): Table {
  const { database, table = sql.table } = engine
  /** The table of rows; and that of a column's distinct words: id, value, folded, count. */
  const rowsTable = sql`${table('rows')} as ${sql.ref('rows')}`
  const wordsTable = (column: string) => table(`words_${column}`)
  const columnOf = (name: string): Column => {
    const column = layout.columns.find(candidate => candidate.name === name)
    if (column === undefined) throw new RangeError(`there is no column "${name}"`)
    return column
  }

  /** What is asked: a stretch, and conditions inside it. */
  async function question(filters: readonly Filter[]) {
    const conditions: RawBuilder<SqlBool>[] = []
    let stretch: Stretch = { first: 1, last: rows }
    for (const filter of filters) {
      const { name, type } = columnOf(filter.column)
      const isRange = !('contains' in filter || 'equals' in filter)
      if (type !== (isRange ? 'day' : 'word')) throw new RangeError(`column "${name}" cannot be asked that`)
      if (!isRange) conditions.push(await wordCondition(engine, wordsTable(name), filter))
      else if (name === layout.newestFirstBy)
        stretch = shared(stretch, await stretchOf(database, rowsTable, filter))
      else conditions.push(dayCondition(filter))
    }
    const whole = stretch.first <= 1 && stretch.last >= rows
    const inStretch = sql<SqlBool>`position between ${stretch.first} and ${stretch.last}`
    const where = sql.join(whole ? conditions : [...conditions, inStretch], sql` and `)
    return { stretch, free: conditions.length === 0, whole, where }
  }

  type Question = Awaited<ReturnType<typeof question>>

  async function total({ stretch, free, where }: Question): Promise<number> {
    if (free || empty(stretch)) return length(stretch)
    const { rows: found } = await sql<{
      n: unknown
    }>`select count(*) as n from ${rowsTable} where ${where}`.execute(database)
    return Number(found[0]?.n)
  }

  async function records({ stretch, free, where }: Question, offset: number, limit: number) {
    if (empty(stretch) || limit < 1) return []
    const first = stretch.first + offset
    const last = Math.min(stretch.last, first + limit - 1)
    const positions = free
      ? sql`position between ${first} and ${last}`
      : sql`position in (select position from ${rowsTable} where ${where} order by position limit ${limit} offset ${offset})`
    const { rows: found } =
      await sql`select ${shownColumns(layout, wordsTable)} from ${rowsTable} where ${positions} order by position`.execute(
        database,
      )
    return found.map(row => readRow(layout, row as Record<string, unknown>))
  }

  return {
    async page(filters, offset, limit) {
      const asked = await question(filters)
      const found = await total(asked)
      const texts = offset < found ? (await records(asked, offset, limit)).map(contentOf) : []
      return {
        total: found,
        json: (before = '', after = '') => Buffer.from(before + texts.join(',') + after),
      }
    },

    async countBy(column, filters) {
      const { type } = columnOf(column)
      if (type !== 'word') throw new RangeError(`column "${column}" does not hold words`)
      const { stretch, free, whole, where } = await question(filters)
      if (empty(stretch)) return []
      const words = wordsTable(column)
      const { rows: found } = await (free && whole
        ? sql<WordCount>`select value, count as n from ${words}`
        : sql<WordCount>`select value, n from (
            select ${sql.ref(column)} as code, count(*) as n from ${rowsTable} where ${where} group by ${sql.ref(column)}
          ) as counted join ${words} on id = code`
      ).execute(database)
      return sorted(found)
    },
  }
}

interface WordCount {
  readonly value: string
  readonly n: unknown
}

async function wordCondition(
  engine: TableEngine,
  words: RawBuilder<unknown>,
  filter: Filter,
): Promise<RawBuilder<SqlBool>> {
  const folded = sql.ref('folded')
  const met =
    'contains' in filter
      ? engine.contains(folded, fold(filter.contains))
      : sql`${folded} = ${'equals' in filter ? fold(filter.equals) : ''}`
  const codes = sql<{ id: number }>`select id from ${words} where ${met}`
  const code = sql.ref(filter.column)
  if (!engine.codesFirst) return sql`${code} in (${codes})`
  const { rows } = await codes.execute(engine.database)
  return sql`${code} = any(${rows.map(({ id }) => id)})`
}

type Range = Extract<Filter, { from?: string }>

/** Days far beyond any that a timestamp can have. */
const NO_DAY = 1e9
const bounds = ({ from, to }: Range) => ({
  from: from === undefined ? -NO_DAY : dayNumber(from),
  to: to === undefined ? NO_DAY : dayNumber(to),
})

function dayCondition(range: Range): RawBuilder<SqlBool> {
  const { from, to } = bounds(range)
  return sql`${sql.ref(range.column)} between ${from} and ${to}`
}

/** Finds the stretch of a range on the ordering day: from the first row not above it to the last not below it. */
async function stretchOf(
  database: Kysely<unknown>,
  rowsTable: RawBuilder<unknown>,
  range: Range,
): Promise<Stretch> {
  const { from, to } = bounds(range)
  const day = sql.ref(range.column)
  const first = sql<At>`select position from ${rowsTable} where ${day} <= ${to} order by ${day} desc, position limit 1`
  const last = sql<At>`select position from ${rowsTable} where ${day} >= ${from} order by ${day}, position desc limit 1`
  return {
    first: Number((await first.execute(database)).rows[0]?.position ?? Number.POSITIVE_INFINITY),
    last: Number((await last.execute(database)).rows[0]?.position ?? 0),
  }
}

interface At {
  readonly position: unknown
}

const shared = (one: Stretch, other: Stretch): Stretch => ({
  first: Math.max(one.first, other.first),
  last: Math.min(one.last, other.last),
})
const length = ({ first, last }: Stretch): number => Math.max(0, last - first + 1)
const empty = (stretch: Stretch): boolean => length(stretch) === 0

/** Each column under its own name, words in place of their codes. */
function shownColumns(
  layout: TableLayout,
  wordsTable: (column: string) => RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql.join(
    layout.columns.map(({ name, type }) =>
      type === 'word'
        ? sql`(select value from ${wordsTable(name)} where id = ${sql.ref(`rows.${name}`)}) as ${sql.ref(name)}`
        : sql.ref(name),
    ),
  )
}

/** Highest count first, ties by code units: engines order text in other ways, so it is done here. */
function sorted(counts: readonly WordCount[]): [string, number][] {
  return counts
    .map(({ value, n }): [string, number] => [readText(value), Number(n)])
    .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
}
