import type { StoredRecord } from '../../../query/query.ts'
import type { Cell } from '../../encoding/cells.ts'
import { shortDigestHex } from '../../encoding/content.ts'
import type { Layout } from '../../layout.ts'
import { type Dictionary, tableCells } from '../../table/cells.ts'

/** Encodes the records of a release, one after the other, for `copy` into its staging table. */
export interface RecordEncoder {
  /**
   * The encoded row of the next record: position, key, digest, and its columns. Throws TypeError for a record that cannot
   * be stored.
   */
  line(key: string, record: StoredRecord, content: string): string
  /** The dictionaries so far, by column. */
  readonly dictionaries: Dictionaries
}

export type Dictionaries = ReadonlyMap<string, Dictionary>

/** Creates the encoder of a layout. */
export function recordEncoder(layout: Layout): RecordEncoder {
  const { of, dictionaries } = cellsOf(layout)
  let rows = 0
  return {
    dictionaries,
    line(key, record, content) {
      const cells = copyLine(of(record, content))
      rows++
      return `${rows}\t${shortDigestHex(key)}\t${shortDigestHex(content)}\t${cells}`
    },
  }
}

function cellsOf(layout: Layout) {
  if (layout.kind === 'table') return tableCells(layout, bytesCell)
  const dictionaries: Dictionaries = new Map()
  return { of: (_record: StoredRecord, content: string) => [content], dictionaries }
}

/** Encodes a row in the text format of `copy` (https://www.postgresql.org/docs/current/sql-copy.html). */
export function copyLine(cells: readonly Cell[]): string {
  let line = ''
  let between = ''
  for (const cell of cells) {
    line += between + copyCell(cell)
    between = '\t'
  }
  return `${line}\n`
}

/** A cell of bytes, given in hexadecimal digits. */
const bytesCell = (digits: string): Cell => `\\x${digits}`

function copyCell(cell: Cell): string {
  if (cell === null) return '\\N'
  if (typeof cell === 'number') return String(cell)
  if (typeof cell === 'string') return /[\\\n\r\t]/.test(cell) ? cell.replace(/[\\\n\r\t]/g, escaped) : cell
  return `\\\\x${Buffer.from(cell.buffer, cell.byteOffset, cell.byteLength).toString('hex')}`
}

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }
const escaped = (character: string): string => ESCAPES[character] ?? character
