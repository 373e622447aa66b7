/** A value of one column of a row: bytes are `\x` and hexadecimal digits. */
export type Cell = string | number | null

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

function copyCell(cell: Cell): string {
  if (cell === null) return '\\N'
  if (typeof cell === 'number') return String(cell)
  return /[\\\n\r\t]/.test(cell) ? cell.replace(/[\\\n\r\t]/g, escaped) : cell
}

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }
const escaped = (character: string): string => ESCAPES[character] ?? character
