import type { TableLayout } from '../store/layout.ts'
import { type FieldWriter, fieldWriters } from './build-fields.ts'
import type { LooseParts } from './fields.ts'
import type { ReadyPart, Texts } from './parts.ts'

const CHUNK_SHIFT = 16
/** Rows written at a time, field after field: so few that they stay in the processor's cache. */
const BLOCK = 256

/** Writes every row nearly as it is sent, unless all together, and where they start, take more than `readyBytes`. */
export function readyPart(
  layout: TableLayout,
  parts: LooseParts,
  readyBytes: number,
  shift = CHUNK_SHIFT,
): ReadyPart | undefined {
  const endsWithDigest = layout.columns.at(-1)?.type === 'digest'
  const fields = fieldWriters(layout, parts, BLOCK)
  const size = 2 ** shift
  const starts: Texts['starts'][] = []
  let total = parts.rows * Uint32Array.BYTES_PER_ELEMENT
  for (let from = 0; from < parts.rows; from += size) {
    const chunk = startsOf(fields, from, Math.min(parts.rows, from + size))
    starts.push(chunk)
    total += chunk.at(-1) as number
    if (total > readyBytes) return undefined
  }
  return {
    kind: 'ready',
    shift,
    chunks: starts.map((chunk, i) => writeChunk(fields, i * size, chunk)),
    endsWithDigest,
  }
}

/** Gives where each of the rows [from, to) starts, and where the last ends. */
function startsOf(fields: readonly FieldWriter[], from: number, to: number): Texts['starts'] {
  const starts = new Uint32Array(to - from + 1)
  for (let row = from; row < to; row += BLOCK) {
    const end = Math.min(to, row + BLOCK)
    const sizes = starts.subarray(row - from + 1, end - from + 1)
    for (const field of fields) field.addSizes(row, end, sizes)
  }
  for (let i = 1; i < starts.length; i++) starts[i] = (starts[i] as number) + (starts[i - 1] as number)
  return starts
}

function writeChunk(fields: readonly FieldWriter[], first: number, starts: Texts['starts']): Texts {
  const bytes = new Uint8Array(starts.at(-1) as number)
  const view = new DataView(bytes.buffer)
  const rows = starts.length - 1
  for (let from = 0; from < rows; from += BLOCK) {
    const to = Math.min(rows, from + BLOCK)
    const ends = starts.slice(from, to)
    for (const field of fields) field.write(first + from, first + to, view, ends)
  }
  return { bytes, starts }
}
