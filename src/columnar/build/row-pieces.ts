import type { TableLayout } from '../../query/layout.ts'
import type { OrderingDate, TableData, Texts } from '../indexes/table-data.ts'
import { dateJson, dateOfRow, orderedJson, prefixOf } from '../render/fields.ts'
import { DIGEST_BYTES, packTexts } from '../render/texts.ts'

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
export function copyPiece({ bytes, starts, codes }: Pieces, i: number, target: DataView, at: number): number {
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
