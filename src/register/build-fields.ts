import type { TableLayout } from '../store/layout.ts'
import { DIGEST_BYTES, dayAt, type LooseParts, prefixOf, type Source, sourceOf } from './fields.ts'
import type { OrderPart, Texts } from './parts.ts'

/** Writes one column's share of the rows' JSON, as bytes. */
export interface FieldWriter {
  /** Adds how many bytes each of the rows [from, to) has. */
  addSizes(from: number, to: number, sizes: Uint32Array): void
  /** Writes the bytes of the rows [from, to) where those written before end, and moves those ends. */
  write(from: number, to: number, bytes: DataView, ends: Uint32Array): void
}

/** Makes the writers of all columns, for so many rows at a time. A digest at the end is written as its 32 bytes. */
export function fieldWriters(layout: TableLayout, parts: LooseParts, atOnce: number): FieldWriter[] {
  const codes = new Uint32Array(atOnce)
  return layout.columns.map((column, i) => {
    const source = sourceOf(column, parts)
    const prefix = viewOf(Buffer.from(prefixOf(column, i === 0), 'latin1'))
    if (source.kind !== 'digests') return textWriter(prefix, source.texts, codesReader(source, codes))
    const isLast = i === layout.columns.length - 1
    return isLast ? bytesWriter(source.bytes) : digitsWriter(prefix, source.bytes)
  })
}

type ReadCodes = (from: number, to: number) => Uint32Array

/** Reads all codes into an array of one type, so that one compiled loop serves all columns. */
function codesReader(source: Exclude<Source, { kind: 'digests' }>, into: Uint32Array): ReadCodes {
  if (source.kind === 'ordering')
    return (from, to) => {
      readDays(source.order, from, to, into)
      return into
    }
  const { codes } = source
  return (from, to) => {
    into.set(codes.subarray(from, to))
    return into
  }
}

function readDays(order: OrderPart, from: number, to: number, into: Uint32Array): void {
  for (let row = from; row < to; ) {
    const day = dayAt(order, row)
    const end = day === order.days.length ? to : Math.min(to, order.starts[day + 1] as number)
    into.fill(day, row - from, end - from)
    row = end
  }
}

function textWriter(prefix: DataView, { starts, bytes: all }: Texts, read: ReadCodes): FieldWriter {
  const texts = viewOf(all)
  return {
    addSizes(from, to, sizes) {
      const codes = read(from, to)
      for (let i = 0; i < to - from; i++) {
        const code = codes[i] as number
        const length = (starts[code + 1] as number) - (starts[code] as number)
        sizes[i] = (sizes[i] as number) + prefix.byteLength + length
      }
    },
    write(from, to, bytes, ends) {
      const codes = read(from, to)
      for (let i = 0; i < to - from; i++) {
        const code = codes[i] as number
        const at = copy(prefix, 0, prefix.byteLength, bytes, ends[i] as number)
        ends[i] = copy(texts, starts[code] as number, starts[code + 1] as number, bytes, at)
      }
    },
  }
}

function bytesWriter(all: Uint8Array): FieldWriter {
  const digests = viewOf(all)
  return {
    addSizes(from, to, sizes) {
      for (let i = 0; i < to - from; i++) sizes[i] = (sizes[i] as number) + DIGEST_BYTES
    },
    write(from, to, bytes, ends) {
      for (let i = 0; i < to - from; i++) {
        const digest = (from + i) * DIGEST_BYTES
        ends[i] = copy(digests, digest, digest + DIGEST_BYTES, bytes, ends[i] as number)
      }
    },
  }
}

function digitsWriter(prefix: DataView, digests: Uint8Array): FieldWriter {
  const all = Buffer.from(digests.buffer, digests.byteOffset, digests.byteLength)
  return {
    addSizes(from, to, sizes) {
      const size = prefix.byteLength + QUOTE.byteLength + 2 * DIGEST_BYTES + QUOTE.byteLength
      for (let i = 0; i < to - from; i++) sizes[i] = (sizes[i] as number) + size
    },
    write(from, to, bytes, ends) {
      const hex = all.toString('hex', from * DIGEST_BYTES, to * DIGEST_BYTES)
      const digits = viewOf(Buffer.from(hex, 'latin1'))
      for (let i = 0; i < to - from; i++) {
        let at = copy(prefix, 0, prefix.byteLength, bytes, ends[i] as number)
        at = copy(QUOTE, 0, QUOTE.byteLength, bytes, at)
        at = copy(digits, i * 2 * DIGEST_BYTES, (i + 1) * 2 * DIGEST_BYTES, bytes, at)
        ends[i] = copy(QUOTE, 0, QUOTE.byteLength, bytes, at)
      }
    },
  }
}

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  new DataView(buffer, byteOffset, byteLength)

const QUOTE = viewOf(Buffer.from('"'))

/** Copies a few bytes, for which `set` takes longer, and gives where they end. */
function copy(source: DataView, from: number, to: number, target: DataView, start: number): number {
  let at = start
  let i = from
  for (; i + 4 <= to; i += 4, at += 4) target.setInt32(at, source.getInt32(i))
  for (; i < to; i++, at++) target.setInt8(at, source.getInt8(i))
  return at
}
