import { fold } from '../../../values/fold.ts'
import { escapeText } from '../../encoding/escape-text.ts'
import type { TableLayout } from '../../layout.ts'
import { type Dictionary, tableCells } from '../../table/cells.ts'
import type { Database } from '../driver.ts'
import type { PhysicalSchema } from './physical-schema.ts'

const TYPES = { word: 'integer not null', day: 'integer', number: 'real', digest: 'blob not null' } as const

/** One column a field. Rows are numbered in served order and hold the codes of dictionary-encoded values. */
export function tableSchema(layout: TableLayout): PhysicalSchema {
  const { of, dictionaries } = tableCells(layout)
  const names = layout.columns.map(({ name }) => `"${name}"`).join(', ')
  const declarations = layout.columns.map(({ name, type }) => `"${name}" ${TYPES[type]}`)

  return {
    declarations,
    cells: of,
    finish: [
      database =>
        database.exec(`
          create table file.rows (position integer primary key, ${declarations.join(', ')});
          insert into file.rows (${names}) select ${names} from aside.appended
            order by "${layout.newestFirstBy}" desc nulls last, position`),
      ...indexes(layout).map(index => (database: Database) => database.exec(index)),
      ...[...dictionaries].map(
        ([column, codes]) =>
          (database: Database) =>
            writeWords(database, column, codes),
      ),
    ],
  }
}

/**
 * The index of the ordering day finds row ranges; that of a dictionary-encoded column finds its rows in served order;
 * that of another day includes all dictionary-encoded columns, so that counts in a range of days read no rows.
 */
function indexes({ columns, newestFirstBy }: TableLayout): string[] {
  const words = columns.filter(({ type }) => type === 'word').map(({ name }) => `"${name}"`)
  const otherDays = columns.filter(({ name, type }) => type === 'day' && name !== newestFirstBy)
  return [
    `create index file."by_${newestFirstBy}" on rows ("${newestFirstBy}" desc)`,
    ...words.map(word => `create index file."by_${word.slice(1)} on rows (${word})`),
    ...otherDays.map(
      ({ name }) => `create index file."by_${name}" on rows (${[`"${name}"`, ...words].join(', ')})`,
    ),
  ]
}

/** Counts the rows of each value as well, so that unfiltered counts need only read the dictionary. */
function writeWords(database: Database, column: string, codes: Dictionary): void {
  const table = `"words_${column}"`
  database.exec(
    `create table file.${table} (id integer primary key, value text not null, folded text not null, rank integer not null,
      count integer not null)`,
  )
  const insert = database.prepare(
    `insert into ${table} select ?, ?, ?, ?, (select count(*) from rows where "${column}" = ?)`,
  )
  const sorted = [...codes].sort(([one], [other]) => (one < other ? -1 : 1))
  for (const [rank, [word, code]] of sorted.entries())
    insert.run(code, escapeText(word), fold(word), rank, code)
  // Values of rejected records.
  database.exec(`delete from ${table} where count = 0`)
}
