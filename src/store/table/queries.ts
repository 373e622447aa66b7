import { type RawBuilder, sql } from 'kysely'
import type { Collection } from '../../query/collection.ts'
import { oneBatch } from '../../query/one-batch.ts'
import type { Filter } from '../../query/query.ts'
import { readRow } from '../encoding/cells.ts'
import { contentOf } from '../encoding/content.ts'
import type { TableLayout } from '../layout.ts'
import { countsOf } from './counts.ts'
import { length, type Stretch } from './days.ts'
import type { KnownTables, TableEngine } from './engine.ts'
import { positionsOf, type Slice } from './positions.ts'
import { columnOf, inStretch, questionOf } from './question.ts'
import { totalOf } from './totals.ts'

/**
 * Answers the questions about a release of so many rows by SQL. Rows are numbered in served order, so a range on the
 * ordering day, and an unfiltered page however deep, are stretches of numbers. What users send is only ever a
 * parameter: the text of a statement depends on which columns are asked about, and how, alone.
 */
export function tableQueries(engine: TableEngine, layout: TableLayout, rows: number): Collection {
  let known: Promise<KnownTables> | undefined
  /** A release never gains a table, so they are looked up once. */
  function tables(): Promise<KnownTables> {
    known ??= engine.tables().catch(error => {
      known = undefined
      throw error
    })
    return known
  }
  const questionAbout = async (filters: readonly Filter[]) =>
    questionOf(engine, await tables(), layout, rows, filters)

  async function records(question: Awaited<ReturnType<typeof questionAbout>>, total: number, slice: Slice) {
    if (slice.offset >= total || slice.limit < 1) return []
    const { newestFirstBy } = layout
    const positions = await positionsOf(engine, await tables(), newestFirstBy, question, total, slice)
    const { rows: found } = await sql`
      select ${shownColumns(engine, layout)} from ${engine.table('rows')} as rows
      where ${amongPositions(engine, positions)} order by position`.execute(engine.database)
    return found.map(row => contentOf(readRow(layout, row as Record<string, unknown>)))
  }

  return {
    async execute({ filters = [], offset = 0, limit = rows }) {
      const question = await questionAbout(filters)
      const total = await totalOf(engine, await tables(), question)
      const texts = await records(question, total, { offset, limit })
      const json = (before = '', after = '') => Buffer.from(before + texts.join(',') + after)
      return { total, json, batches: () => oneBatch(texts.length, json) }
    },

    async count({ by: [column = ''], filters = [] }) {
      const { type } = columnOf(layout, column)
      if (type !== 'word') throw new RangeError(`column "${column}" does not hold words`)
      return countsOf(engine, await tables(), await questionAbout(filters), column)
    },
  }
}

/** Positions without gaps are a stretch, and found quicker. */
function amongPositions(engine: TableEngine, positions: readonly number[]) {
  const stretch: Stretch = { first: positions[0] ?? 1, last: positions.at(-1) ?? 0 }
  return length(stretch) === positions.length
    ? inStretch(stretch)
    : engine.among(sql.ref('position'), positions.join(','))
}

/** Each column under its own name, words in place of their codes. */
function shownColumns(engine: TableEngine, layout: TableLayout): RawBuilder<unknown> {
  return sql.join(
    layout.columns.map(({ name, type }) =>
      type === 'word'
        ? sql`(select value from ${engine.table(`words_${name}`)} where id = ${sql.ref(`rows.${name}`)}) as ${sql.ref(name)}`
        : sql.ref(name),
    ),
  )
}
