import type { StoredRecord } from '../../../query/query.ts'
import type { Cell } from '../../encoding/cells.ts'
import { shortDigestHex } from '../../encoding/content.ts'
import type { Layout } from '../../layout.ts'
import { type Dictionary, tableCells } from '../../table/cells.ts'

/** Encodes the records of a release, one after the other, for `copy` into its table `appended`. */
export interface RecordEncoder {
  /** The encoded row of a record: position, key, digest, and its columns. */
  line(position: number, key: string, content: string, record: StoredRecord): string
  /** The dictionaries so far, by column. */
  readonly dictionaries: Dictionaries
}

export type Dictionaries = ReadonlyMap<string, Dictionary>

/** Creates the encoder of a layout, optionally continuing earlier dictionaries. */
export function recordEncoder(layout: Layout, known?: Dictionaries): RecordEncoder {
  const { of, dictionaries } = cellsOf(layout, known)
  return {
    dictionaries,
    line: (position, key, content, record) =>
      `${position}\t${shortDigestHex(key)}\t${shortDigestHex(content)}\t${copyLine(of(record, content))}`,
  }
}

function cellsOf(layout: Layout, known: Dictionaries = new Map()) {
  if (layout.kind === 'table') return tableCells(layout, { digest: bytesCell, known })
  return { of: (_record: StoredRecord, content: string) => [content], dictionaries: known }
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
export const bytesCell = (digits: string): Cell => `\\x${digits}`

function copyCell(cell: Cell): string {
  if (cell === null) return '\\N'
  if (typeof cell === 'number') return String(cell)
  if (typeof cell === 'string') return /[\\\n\r\t]/.test(cell) ? cell.replace(/[\\\n\r\t]/g, escaped) : cell
  return `\\\\x${Buffer.from(cell.buffer, cell.byteOffset, cell.byteLength).toString('hex')}`
}

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }
const escaped = (character: string): string => ESCAPES[character] ?? character
