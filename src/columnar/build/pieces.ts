import type { TableLayout } from '../../store/layout.ts'
import type { OrderPart, Texts } from '../indexes/table-data.ts'
import { DIGEST_BYTES, dayAt, type LooseParts, prefixOf, type Source, sourceOf } from '../render/fields.ts'

/** What one column gives to the rows' JSON, as bytes: what stands before its name, the name, and a value. */
export interface Pieces {
  /** Reads the rows [from, to), which are not more than were said to be read at once. */
  read(from: number, to: number): void
  /** The pieces of the rows that were read, by their place in `starts`. */
  readonly codes: Uint32Array
  /** Piece i has the bytes in [starts[i], starts[i + 1]); four at least. */
  readonly starts: Uint32Array
  readonly bytes: DataView
}

/** Opens the pieces of all columns, for so many rows at once. A digest at the end is nothing but its 32 bytes. */
export function openPieces(layout: TableLayout, parts: LooseParts, atOnce: number): Pieces[] {
  return layout.columns.map((column, i) => {
    const source = sourceOf(column, parts)
    const prefix = Buffer.from(prefixOf(column, i === 0), 'latin1')
    if (source.kind !== 'digests') return textPieces(prefix, source, atOnce)
    const isLast = i === layout.columns.length - 1
    return isLast ? digestPieces(source.bytes, atOnce) : digitPieces(prefix, source.bytes, atOnce)
  })
}

function textPieces(prefix: Buffer, source: Exclude<Source, { kind: 'digests' }>, atOnce: number): Pieces {
  // Of one type whatever the column's are, so that one compiled loop serves all columns.
  const codes = new Uint32Array(atOnce)
  return {
    ...withPrefix(prefix, source.texts),
    codes,
    read(from, to) {
      if (source.kind === 'coded') codes.set(source.codes.subarray(from, to))
      else readDays(source.order, from, to, codes)
    },
  }
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

function readDays(order: OrderPart, from: number, to: number, codes: Uint32Array): void {
  for (let row = from; row < to; ) {
    const day = dayAt(order, row)
    const end = day === order.days.length ? to : Math.min(to, order.starts[day + 1] as number)
    codes.fill(day, row - from, end - from)
    row = end
  }
}

function digestPieces(digests: Uint8Array, atOnce: number): Pieces {
  const bytes = new Uint8Array(atOnce * DIGEST_BYTES)
  return {
    ...equalPieces(bytes, atOnce),
    read: (from, to) => bytes.set(digests.subarray(from * DIGEST_BYTES, to * DIGEST_BYTES)),
  }
}

function digitPieces(prefix: Buffer, digests: Uint8Array, atOnce: number): Pieces {
  const size = prefix.length + 2 * DIGEST_BYTES + 2
  const bytes = Buffer.alloc(atOnce * size)
  const all = Buffer.from(digests.buffer, digests.byteOffset, digests.byteLength)
  const start = `${prefix.toString('latin1')}"`
  return {
    ...equalPieces(bytes, atOnce),
    read(from, to) {
      for (let row = from; row < to; row++) {
        const digits = all.toString('hex', row * DIGEST_BYTES, (row + 1) * DIGEST_BYTES)
        bytes.write(`${start}${digits}"`, (row - from) * size, 'latin1')
      }
    },
  }
}

/** So many pieces of one size, one for each row that is read. */
function equalPieces({ buffer, byteOffset, byteLength }: Uint8Array, count: number) {
  return {
    codes: Uint32Array.from({ length: count }, (_, i) => i),
    starts: Uint32Array.from({ length: count + 1 }, (_, i) => (i * byteLength) / count),
    bytes: new DataView(buffer, byteOffset, byteLength),
  }
}

const WORD = 4

/** Copies the piece of the i-th row that was read, and gives where it ends. For so few bytes `set` takes longer. */
export function copyPiece({ bytes, starts, codes }: Pieces, i: number, target: DataView, at: number): number {
  const code = codes[i] as number
  const start = starts[code] as number
  const length = (starts[code + 1] as number) - start
  const last = length - WORD
  for (let offset = 0; offset < last; offset += WORD)
    target.setInt32(at + offset, bytes.getInt32(start + offset))
  // What is left may be less than a word: some is copied twice.
  target.setInt32(at + last, bytes.getInt32(start + last))
  return at + length
}
