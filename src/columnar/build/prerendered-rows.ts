import type { TableLayout } from '../../query/layout.ts'
import type { PrerenderedRows, TableData, Texts } from '../indexes/table-data.ts'
import { copyPiece, openPieces, type Pieces } from './row-pieces.ts'

const CHUNK_SHIFT = 16
/** Rows rendered at a time. */
const BLOCK = 256

/** Renders every row as JSON, unless all rows with their starts take more than `maxBytes`. */
export function prerenderRows(
  layout: TableLayout,
  data: TableData,
  maxBytes: number,
  shift = CHUNK_SHIFT,
): PrerenderedRows | undefined {
  const fields = openPieces(layout, data, BLOCK)
  const size = 2 ** shift
  const starts: Texts['starts'][] = []
  let total = data.rows * Uint32Array.BYTES_PER_ELEMENT
  for (let from = 0; from < data.rows; from += size) {
    const chunk = startsOf(fields, from, Math.min(data.rows, from + size))
    starts.push(chunk)
    total += chunk.at(-1) as number
    if (total > maxBytes) return undefined
  }
  return {
    shift,
    chunks: starts.map((chunk, i) => renderChunk(fields, i * size, chunk)),
    endsWithDigest: layout.columns.at(-1)?.type === 'digest',
  }
}

/** Returns where each of the rows [from, to) starts, and where the last one ends. */
function startsOf(fields: readonly Pieces[], from: number, to: number): Texts['starts'] {
  const starts = new Uint32Array(to - from + 1)
  for (let row = from; row < to; row += BLOCK) {
    const end = Math.min(to, row + BLOCK)
    for (const field of fields) {
      field.read(row, end)
      addSizes(field, starts.subarray(row - from + 1, end - from + 1))
    }
  }
  for (let i = 1; i < starts.length; i++) starts[i] = (starts[i] as number) + (starts[i - 1] as number)
  return starts
}

function addSizes({ codes, starts }: Pieces, sizes: Uint32Array): void {
  for (let i = 0; i < sizes.length; i++) {
    const code = codes[i] as number
    sizes[i] = (sizes[i] as number) + (starts[code + 1] as number) - (starts[code] as number)
  }
}

function renderChunk(fields: readonly Pieces[], firstRow: number, starts: Texts['starts']): Texts {
  const bytes = new Uint8Array(starts.at(-1) as number)
  const view = new DataView(bytes.buffer)
  const rows = starts.length - 1
  let at = 0
  for (let from = 0; from < rows; from += BLOCK) {
    const to = Math.min(rows, from + BLOCK)
    for (const field of fields) field.read(firstRow + from, firstRow + to)
    for (let i = 0; i < to - from; i++)
      for (let field = 0; field < fields.length; field++) at = copyPiece(fields[field] as Pieces, i, view, at)
  }
  return { bytes, starts }
}
