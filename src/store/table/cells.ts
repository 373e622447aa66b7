import type { StoredRecord } from '../../query/query.ts'
import { type Cell, type CellEncoding, type CellWriter, cellWriter } from '../encoding/cells.ts'
import type { Column, TableLayout } from '../layout.ts'

/** The codes of a column's distinct values. */
export type Dictionary = ReadonlyMap<string, number>

/** Encodes the records of one release as cells of its table. */
export interface TableCells {
  /**
   * The cells of a record in the order of the columns. Throws TypeError for a record that could not be read back
   * unchanged.
   */
  of(record: StoredRecord): Cell[]
  /** The dictionaries so far, by column; they include values of rejected records. */
  readonly dictionaries: ReadonlyMap<string, Dictionary>
}

/**
 * Creates the encoder of a layout; `digest` encodes a digest given in hexadecimal digits. Throws RangeError for a layout
 * that no engine could store.
 */
export function tableCells(layout: TableLayout, digest: CellEncoding['digest'] = bytes): TableCells {
  checkNames(layout)
  const dictionaries = new Map<string, Dictionary>()
  const writers = layout.columns.map((column): [string, CellWriter] => {
    const codes = new Map<string, number>()
    if (column.type === 'word') dictionaries.set(column.name, codes)
    return [column.name, cellWriter(column, { code: word => codeOf(codes, word), digest })]
  })
  return {
    dictionaries,
    of(record) {
      if (Object.keys(record).length !== writers.length)
        throw new TypeError(`the record's fields are not the columns: ${Object.keys(record).join(', ')}`)
      return writers.map(([name, write]) => write(record[name]))
    },
  }
}

const bytes = (digits: string): Uint8Array => Buffer.from(digits, 'hex')

function codeOf(codes: Map<string, number>, word: string): number {
  let code = codes.get(word)
  if (code === undefined) {
    code = codes.size + 1
    codes.set(word, code)
  }
  return code
}

/** Names become part of statements, so they must be plain; they come from dataset declarations, never from users. */
function checkNames({ columns, newestFirstBy }: TableLayout): void {
  const folded = new Set(columns.map(({ name }) => name.toLowerCase()))
  const plain = columns.every(({ name }) => /^[A-Za-z][A-Za-z0-9]{0,39}$/.test(name))
  if (
    !plain ||
    folded.size !== columns.length ||
    ['position', 'key', 'digest'].some(name => folded.has(name))
  )
    throw new RangeError(
      'columns need distinct names of 40 letters and digits at most, other than position, key and digest',
    )
  const ordering = columns.find(({ name }: Column) => name === newestFirstBy)
  if (ordering?.type !== 'day') throw new RangeError(`"${newestFirstBy}" is not a column of days`)
}
