import { endianness } from 'node:os'
import type { TableLayout } from '../../query/layout.ts'
import {
  ALIGNMENT,
  ARRAY,
  type ArrayPlace,
  type ArrayType,
  aligned,
  BYTE_ORDER,
  CHECKED_HEAD,
  checksum,
  HEAD_BYTES,
  MAP,
  MARK,
  TYPES,
  VERSION,
} from '../read-table-file.ts'
import type { TableData } from '../table-data.ts'

/** Yields the bytes of a table file, with the digests of the table's records, part by part. */
export function* tableFile(layout: TableLayout, data: TableData, digests: Uint8Array): Generator<Uint8Array> {
  if (endianness() !== 'LE') throw new Error('releases can be written on little-endian machines alone')
  const arrays: Uint8Array[] = []
  const description = Buffer.from(JSON.stringify(describe({ layout, data, digests }, arrays)))
  // Blanks after the description align the arrays.
  const text = Buffer.alloc(aligned(HEAD_BYTES + description.length) - HEAD_BYTES, ' ')
  description.copy(text)
  const head = Buffer.alloc(HEAD_BYTES)
  MARK.copy(head)
  for (const [index, number] of [VERSION, BYTE_ORDER, text.length].entries())
    head.writeUInt32LE(number, MARK.length + index * 4)
  head.writeUInt32LE(checksum(text, checksum(head.subarray(0, CHECKED_HEAD))), CHECKED_HEAD)
  yield head
  yield text
  for (const array of arrays) {
    yield array
    if (!isAligned(array)) yield paddingOf(array)
  }
}

const isAligned = ({ length }: Uint8Array) => length % ALIGNMENT === 0
const paddingOf = ({ length }: Uint8Array) => new Uint8Array(aligned(length) - length)

/** Describes a value, and appends its arrays to `arrays`. */
function describe(value: unknown, arrays: Uint8Array[]): unknown {
  let start = 0
  return of(value)

  function of(part: unknown): unknown {
    if (ArrayBuffer.isView(part)) return { [ARRAY]: placed(part as InstanceType<(typeof TYPES)[ArrayType]>) }
    if (part instanceof Map) return { [MAP]: [...part].map(([key, entry]) => [key, of(entry)]) }
    if (Array.isArray(part)) return part.map(of)
    if (typeof part !== 'object' || part === null) return part
    return Object.fromEntries(Object.entries(part).map(([name, member]) => [name, of(member)]))
  }

  function placed(array: InstanceType<(typeof TYPES)[ArrayType]>): ArrayPlace {
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength)
    const place = {
      // A Buffer is stored as Uint8Array.
      type: (Buffer.isBuffer(array) ? 'Uint8Array' : array.constructor.name) as ArrayType,
      start,
      length: array.length,
      crc32: checksum(paddingOf(bytes), checksum(bytes)),
    }
    if (!(place.type in TYPES)) throw new TypeError(`a table file has no ${place.type}`)
    arrays.push(bytes)
    start += aligned(bytes.length)
    return place
  }
}
