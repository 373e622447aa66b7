import type { TableLayout } from '../../query/layout.ts'
import { DIGEST_BYTES, dateJson, dateOfRow, orderedJson, packTexts, prefixOf } from '../render.ts'
import type { OrderingDate, PrerenderedRows, TableData, Texts } from '../table-data.ts'

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

/** The share of one column in the JSON of rows, as bytes: the field's name, the punctuation before it, and a value. */
export interface Pieces {
  /** Reads the rows [from, to), at most the `maxRows` of {@link openPieces}. */
  read(from: number, to: number): void
  /** The piece of each row that was read, as an index into `starts`. */
  readonly codes: Uint32Array
  /** Piece i has the bytes [starts[i], starts[i + 1]), at least four. */
  readonly starts: Uint32Array
  readonly bytes: DataView
}

/** Opens the pieces of all columns, for this many rows at a time. A trailing digest is only its 32 bytes. */
export function openPieces(layout: TableLayout, data: TableData, maxRows: number): Pieces[] {
  return layout.columns.map((column, i) => {
    const { name, type } = column
    const prefix = Buffer.from(prefixOf(column, i === 0), 'latin1')
    if (type === 'digest') {
      const { bytes } = named(data.digests, name)
      const isLast = i === layout.columns.length - 1
      return isLast ? digestPieces(bytes, maxRows) : hexPieces(prefix, bytes, maxRows)
    }
    // All columns have the same array type, so that one compiled loop serves them all.
    const codes = new Uint32Array(maxRows)
    if (name === data.ordering.name) {
      const { ordering } = data
      const texts = packTexts([...Array.from(ordering.values, dateJson), 'null'])
      return { ...withPrefix(prefix, texts), codes, read: (from, to) => readDates(ordering, from, to, codes) }
    }
    const source = type === 'word' ? named(data.dictionaries, name) : named(data.ordered, name)
    const texts =
      'texts' in source
        ? source.texts
        : packTexts(Array.from({ length: source.values.length + 1 }, (_, code) => orderedJson(source, code)))
    return {
      ...withPrefix(prefix, texts),
      codes,
      read: (from, to) => codes.set(source.codes.subarray(from, to)),
    }
  })
}

function named<T extends { readonly name: string }>(columns: readonly T[], name: string): T {
  const column = columns.find(one => one.name === name)
  if (column === undefined) throw new Error(`column "${name}" is missing`)
  return column
}

function withPrefix(prefix: Buffer, texts: Texts) {
  const count = texts.starts.length - 1
  const starts = texts.starts.map((start, i) => start + i * prefix.length)
  const bytes = new Uint8Array(texts.bytes.length + count * prefix.length)
  for (let i = 0; i < count; i++) {
    const start = starts[i] as number
    bytes.set(prefix, start)
    bytes.set(texts.bytes.subarray(texts.starts[i], texts.starts[i + 1]), start + prefix.length)
  }
  return { starts, bytes: new DataView(bytes.buffer) }
}

function readDates(ordering: OrderingDate, from: number, to: number, codes: Uint32Array): void {
  for (let row = from; row < to; ) {
    const date = dateOfRow(ordering, row)
    const end = date === ordering.values.length ? to : Math.min(to, ordering.starts[date + 1] as number)
    codes.fill(date, row - from, end - from)
    row = end
  }
}

function digestPieces(digests: Uint8Array, maxRows: number): Pieces {
  const bytes = new Uint8Array(maxRows * DIGEST_BYTES)
  return {
    ...equalPieces(bytes, maxRows),
    read: (from, to) => bytes.set(digests.subarray(from * DIGEST_BYTES, to * DIGEST_BYTES)),
  }
}

function hexPieces(prefix: Buffer, digests: Uint8Array, maxRows: number): Pieces {
  const size = prefix.length + 2 * DIGEST_BYTES + 2
  const bytes = Buffer.alloc(maxRows * size)
  const all = Buffer.from(digests.buffer, digests.byteOffset, digests.byteLength)
  const start = `${prefix.toString('latin1')}"`
  return {
    ...equalPieces(bytes, maxRows),
    read(from, to) {
      for (let row = from; row < to; row++) {
        const digits = all.toString('hex', row * DIGEST_BYTES, (row + 1) * DIGEST_BYTES)
        bytes.write(`${start}${digits}"`, (row - from) * size, 'latin1')
      }
    },
  }
}

/** Makes `count` pieces of the same size, one for each row that is read. */
function equalPieces({ buffer, byteOffset, byteLength }: Uint8Array, count: number) {
  return {
    codes: Uint32Array.from({ length: count }, (_, i) => i),
    starts: Uint32Array.from({ length: count + 1 }, (_, i) => (i * byteLength) / count),
    bytes: new DataView(buffer, byteOffset, byteLength),
  }
}

const WORD = 4

/** Copies the piece of the i-th row that was read and returns its end. `set` would be slower for so few bytes. */
function copyPiece({ bytes, starts, codes }: Pieces, i: number, target: DataView, at: number): number {
  const code = codes[i] as number
  const start = starts[code] as number
  const length = (starts[code + 1] as number) - start
  const last = length - WORD
  for (let offset = 0; offset < last; offset += WORD)
    target.setInt32(at + offset, bytes.getInt32(start + offset))
  // The rest may be less than a word: some bytes are copied twice.
  target.setInt32(at + last, bytes.getInt32(start + last))
  return at + length
}
