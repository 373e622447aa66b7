import type { Cell } from '../../encoding/cells.ts'

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
