import type { Client } from 'pg'
import { fold } from '../fold.ts'
import type { TableLayout } from '../layout.ts'
import { keepText } from '../plain-text.ts'
import { type Dictionary, tableCells } from '../table-cells.ts'
import { startCopy } from './copy-in.ts'
import { copyLine } from './copy-text.ts'
import type { ReleaseTables } from './release-tables.ts'
import type { Shape } from './shape.ts'

const TYPES = {
  word: 'integer not null',
  day: 'integer',
  number: 'double precision',
  digest: 'bytea not null',
} as const

/** One column a field. Rows are numbered in served order; words are held once each and stand in rows as codes. */
export function tableShape(layout: TableLayout): Shape {
  const { of, dictionaries } = tableCells(layout)
  const names = layout.columns.map(({ name }) => `"${name}"`).join(', ')
  return {
    declarations: layout.columns.map(({ name, type }) => `"${name}" ${TYPES[type]}`),
    cells: of,
    async finish(client, tables) {
      const { named } = tables
      await client.query(`
        create table ${named('rows')} as
          select row_number() over (order by "${layout.newestFirstBy}" desc nulls last, position)::integer as position,
            ${names}
          from ${named('appended')}`)
      for (const index of indexes(layout, named('rows'))) await client.query(index)
      for (const [column, codes] of dictionaries) await writeWords(client, tables, column, codes)
      return ['rows', ...[...dictionaries.keys()].map(column => `words_${column}`)]
    },
  }
}

/**
 * The position finds pages, and with all words beside it answers counts in a stretch of rows; the ordering day finds
 * stretches; a word finds its rows; another day answers counts in a range of days. Rows never change, so nothing is
 * left free.
 */
function indexes({ columns, newestFirstBy }: TableLayout, rows: string): string[] {
  const words = columns.filter(({ type }) => type === 'word').map(({ name }) => `"${name}"`)
  const otherDays = columns.filter(({ name, type }) => type === 'day' && name !== newestFirstBy)
  const beside = words.length === 0 ? '' : ` include (${words.join(', ')})`
  return [
    `create unique index on ${rows} (position)${beside} with (fillfactor = 100)`,
    `create index on ${rows} ("${newestFirstBy}" desc, position) with (fillfactor = 100)`,
    ...words.map(word => `create index on ${rows} (${word}) with (fillfactor = 100)`),
    ...otherDays.map(
      ({ name }) => `create index on ${rows} (${[`"${name}"`, ...words].join(', ')}) with (fillfactor = 100)`,
    ),
  ]
}

/** Sent at once. */
const BATCH = 1000

/** Counts the rows of each word as well, so that unfiltered counts need only be read. */
async function writeWords(
  client: Client,
  { named }: ReleaseTables,
  column: string,
  codes: Dictionary,
): Promise<void> {
  const appended = named(`appended_${column}`)
  await client.query(
    `create unlogged table ${appended} (id integer not null, value text not null, folded text not null)`,
  )
  const copy = await startCopy(client, `copy ${appended} from stdin`)
  const lines = [...codes].map(([word, code]) => copyLine([code, keepText(word), fold(word)]))
  for (let start = 0; start < lines.length; start += BATCH)
    await copy.write(lines.slice(start, start + BATCH).join(''))
  await copy.end()
  // Words of records that were refused are in no row, and so not among the counts.
  await client.query(`
    create table ${named(`words_${column}`)} as
      select id, value collate "C" as value, folded collate "C" as folded, count
      from ${appended}
      join (select "${column}" as code, count(*)::integer as count from ${named('rows')} group by 1) as counts
        on code = id
      order by id`)
  await client.query(`alter table ${named(`words_${column}`)} add primary key (id)`)
  await client.query(`drop table ${appended}`)
}
