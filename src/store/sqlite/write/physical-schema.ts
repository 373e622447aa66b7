import type { StoredRecord } from '../../../query/query.ts'
import { fold } from '../../../values/text.ts'
import type { Cell } from '../../encoding/cells.ts'
import { escapeText } from '../../encoding/escape-text.ts'
import type { Layout, TableLayout } from '../../layout.ts'
import { type Dictionary, tableCells } from '../../table/cells.ts'
import type { Database } from '../driver.ts'

/** How a release file stores the records of a layout. Created anew for each release. */
export interface PhysicalSchema {
  /** The columns of a record, declared as in `create table`. */
  readonly declarations: readonly string[]
  cells(record: StoredRecord, content: string): Cell[]
  /** The steps that build the release from `staging.rows` (position, key, digest and the columns), in order. */
  readonly finish: readonly ((database: Database) => void)[]
}

export const physicalSchema = (layout: Layout): PhysicalSchema =>
  layout.kind === 'table' ? tableSchema(layout) : DOCUMENTS

/** Whole records as JSON, in the order of the source. */
const DOCUMENTS: PhysicalSchema = {
  declarations: ['content text not null'],
  cells: (_record, content) => [content],
  finish: [
    database =>
      database.exec(`
        create table file.documents (position integer primary key, content text not null);
        insert into file.documents select position, content from staging.rows order by position`),
  ],
}

const TYPES = { word: 'integer not null', day: 'integer', number: 'real', digest: 'blob not null' } as const

/** One column a field. Rows are numbered in served order and hold the codes of dictionary-encoded values. */
function tableSchema(layout: TableLayout): PhysicalSchema {
  const { of, dictionaries } = tableCells(layout)
  const names = layout.columns.map(({ name }) => `"${name}"`).join(', ')
  const declarations = layout.columns.map(({ name, type }) => `"${name}" ${TYPES[type]}`)
  const rows = `
    create table file.rows (position integer primary key, ${declarations.join(', ')});
    insert into file.rows (${names}) select ${names} from staging.rows
      order by "${layout.newestFirstBy}" desc nulls last, position`
  return {
    declarations,
    cells: of,
    finish: [
      ...[rows, ...indexes(layout)].map(statement => (database: Database) => database.exec(statement)),
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
 * that of another day includes all dictionary-encoded columns, so that counts in a range of days read no rows; that of a
 * digest finds one record.
 */
function indexes({ columns, newestFirstBy }: TableLayout): string[] {
  const words = columns.filter(({ type }) => type === 'word').map(({ name }) => name)
  const otherDays = columns.filter(({ name, type }) => type === 'day' && name !== newestFirstBy)
  const digests = columns.filter(({ type }) => type === 'digest').map(({ name }) => name)
  const index = (name: string, on: string) => `create index file."by_${name}" on rows (${on})`
  return [
    index(newestFirstBy, `"${newestFirstBy}" desc`),
    ...[...words, ...digests].map(column => index(column, `"${column}"`)),
    ...otherDays.map(({ name }) => index(name, [name, ...words].map(column => `"${column}"`).join(', '))),
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
    `insert into ${table} select ?, ?, ?, ?, (select count(*) from file.rows where "${column}" = ?)`,
  )
  const sorted = [...codes].sort(([one], [other]) => (one < other ? -1 : 1))
  for (const [rank, [word, code]] of sorted.entries())
    insert.run(code, escapeText(word), fold(word), rank, code)
  // Values of rejected records.
  database.exec(`delete from ${table} where count = 0`)
}
