import type { Client } from 'pg'
import type { TableLayout } from '../layout.ts'
import { tableCells } from '../table/cells.ts'
import { type TableParts, tableParts } from '../table/parts.ts'
import { bytesCell } from './copy-text.ts'
import type { ReleaseTables } from './release-tables.ts'
import type { Shape } from './shape.ts'
import { countParts, countTogether } from './table-counted.ts'
import { writeWords } from './table-words.ts'

const TYPES = {
  word: 'integer not null',
  day: 'integer',
  number: 'double precision',
  digest: 'bytea not null',
} as const

/** One column a field. Rows are numbered in served order; words are held once each and stand in rows as codes. */
export function tableShape(layout: TableLayout): Shape {
  const { of, dictionaries } = tableCells(layout, bytesCell)
  return {
    declarations: layout.columns.map(({ name, type }) => `"${name}" ${TYPES[type]}`),
    cells: of,
    async finish(client, tables) {
      const rows = await writeRows(client, tables, layout)
      const parts = tableParts(layout, dictionaries, rows)
      for (const index of indexes(layout, parts, tables.named('rows'))) await client.query(index)
      // Tells what rows are like, and which pages all can see, without which an index alone answers nothing.
      await client.query(`vacuum (freeze, analyze) ${tables.named('rows')}`)
      const counted = await countParts(client, tables, parts)
      const words: string[] = []
      for (const [column, codes] of dictionaries)
        words.push(...(await writeWords(client, tables, column, codes, parts)))
      return [...counted, ...words, ...(await countTogether(client, tables, parts))]
    },
  }
}

/** Gives how many rows there are. */
async function writeRows(client: Client, { named }: ReleaseTables, layout: TableLayout): Promise<number> {
  const names = layout.columns.map(({ name }) => `"${name}"`).join(', ')
  const { rowCount } = await client.query(`
    create table ${named('rows')} as
      select row_number() over (order by "${layout.newestFirstBy}" desc nulls last, position)::integer as position,
        ${names}
      from ${named('appended')}`)
  return rowCount ?? 0
}

/**
 * The position finds pages. A word finds its rows: of columns with many words, where each has few rows, all else that
 * may be asked stands beside it, so that the rows need not be looked at; the others' indexes hold each word once, and
 * are small. So does another day find its rows, with what may be counted beside it. Rows never change, so nothing is left free.
 */
function indexes({ columns, newestFirstBy }: TableLayout, { few, many }: TableParts, rows: string): string[] {
  const days = columns.filter(({ name, type }) => type === 'day' && name !== newestFirstBy)
  const otherDays = days.map(({ name }) => name)
  const words = [...few, ...many]
  const on = (column: string, beside: readonly string[]) =>
    `create index on ${rows} ("${column}", position)${beside.length > 0 ? ` include (${quoted(beside)})` : ''} ${FULL}`
  return [
    `create unique index on ${rows} (position) ${FULL}`,
    ...few.map(word => `create index on ${rows} ("${word}") ${FULL}`),
    ...many.map(word => on(word, [...words.filter(other => other !== word), ...otherDays])),
    ...otherDays.map(day => on(day, few)),
  ]
}

const FULL = 'with (fillfactor = 100)'
const quoted = (names: readonly string[]): string => names.map(name => `"${name}"`).join(', ')
