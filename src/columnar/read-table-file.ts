import { endianness } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { crc32 } from 'node:zlib'
import type { TableLayout } from '../query/layout.ts'
import { createGate } from '../values/promises.ts'
import type { TableData } from './table-data.ts'

/** A file on any storage. */
export interface FileBytes {
  readonly size: number
  /** Fills an array with the bytes from a position on. */
  read(into: Uint8Array, position: number): Promise<void>
}

/** A file's bytes have changed since they were written. */
export class DamagedTableError extends Error {
  override name = 'DamagedTableError'
}

/** The file was written by another version of the service, or on a machine with another byte order. */
export class UnreadableTableError extends Error {
  override name = 'UnreadableTableError'
}

/** The maximum length of a description in bytes. A description of a hundred arrays has some kilobytes. */
const LONGEST_DESCRIPTION = 1 << 26

/**
 * Reads a table, each array into its own memory, and verifies every byte. `isBeside` makes it give way to requests. Throws
 * {@link DamagedTableError} and {@link UnreadableTableError}.
 */
export async function readTableFile(
  file: FileBytes,
  layout: TableLayout,
  isBeside = false,
): Promise<TableData> {
  const { description, start } = await readDescription(file)
  const { layout: written, data, digests } = description
  if (!isDeepStrictEqual(written, layout))
    throw new UnreadableTableError(
      'its columns are those of another version of the service: import the data again',
    )
  const end = start + digests[ARRAY].start + aligned(digests[ARRAY].length)
  if (end !== file.size) throw new DamagedTableError(`it has ${file.size} bytes in place of ${end}`)
  const enter = createGate(AT_ONCE)
  /** How long this function has kept the event loop busy. */
  let ownMs = 0
  const table = (await read(data)) as TableData
  // No query reads the digests. They are read here to find damage before the next import needs them.
  for await (const _ of digestsAt(file, start + digests[ARRAY].start, digests[ARRAY]));
  return table

  async function read(part: unknown): Promise<unknown> {
    if (Array.isArray(part)) return Promise.all(part.map(read))
    if (typeof part !== 'object' || part === null) return part
    if (ARRAY in part) return readArray(part[ARRAY] as ArrayPlace)
    const readEntry = async ([key, entry]: [unknown, unknown]) => [key, await read(entry)] as const
    if (MAP in part) return new Map(await Promise.all((part[MAP] as [unknown, unknown][]).map(readEntry)))
    return Object.fromEntries(await Promise.all(Object.entries(part).map(readEntry)))
  }

  async function readArray({ type, start: from, length, crc32 }: ArrayPlace) {
    const Kind = TYPES[type]
    const size = aligned(length * Kind.BYTES_PER_ELEMENT)
    if (start + from + size > file.size) throw new DamagedTableError('it is cut short')
    const leave = await enter()
    const bytes = new Uint8Array(size)
    let sum = 0
    for (let at = 0; at < size; at += PIECE_BYTES) {
      const piece = bytes.subarray(at, at + PIECE_BYTES)
      const [before, ownBefore] = [performance.eventLoopUtilization(), ownMs]
      await file.read(piece, start + from + at)
      const othersMs = performance.eventLoopUtilization(before).active - (ownMs - ownBefore)
      const checkedAt = performance.now()
      sum = checksum(piece, sum)
      ownMs += performance.now() - checkedAt
      if (isBeside && othersMs > 1) await pause(othersMs * PAUSE)
    }
    leave()
    if (sum !== crc32) throw changed('one of its arrays')
    return new Kind(bytes.buffer, 0, length)
  }
}

interface Description {
  readonly layout: TableLayout
  readonly data: object
  readonly digests: { readonly [ARRAY]: ArrayPlace }
}

/** Reads the digests of the records of a table, piece by piece. They are verified after the last piece. */
export async function* readDigests(file: FileBytes): AsyncGenerator<Uint8Array> {
  const { description, start } = await readDescription(file)
  const place = description.digests[ARRAY]
  yield* digestsAt(file, start + place.start, place)
}

async function* digestsAt(file: FileBytes, start: number, place: ArrayPlace): AsyncGenerator<Uint8Array> {
  const size = aligned(place.length)
  const piece = new Uint8Array(Math.min(PIECE_BYTES, size))
  let sum = 0
  for (let at = 0; at < size; at += piece.length) {
    const part = piece.subarray(0, size - at)
    await file.read(part, start + at)
    sum = checksum(part, sum)
    yield part.subarray(0, place.length - at)
  }
  if (sum !== place.crc32) throw changed('the digests of its records')
}

/** Reads the description, and finds where the arrays start. */
async function readDescription(file: FileBytes): Promise<{ description: Description; start: number }> {
  const head = Buffer.alloc(HEAD_BYTES)
  if (file.size < head.length) throw new DamagedTableError('it is cut short')
  await file.read(head, 0)
  if (!head.subarray(0, MARK.length).equals(MARK))
    throw new DamagedTableError('it is not the file of a table')
  const [version = 0, order, length = 0, sum] = [0, 1, 2, 3].map(at =>
    head.readUInt32LE(MARK.length + at * 4),
  )
  if (order !== BYTE_ORDER || endianness() !== 'LE') {
    if (order === SWAPPED || endianness() !== 'LE')
      throw new UnreadableTableError('it has the byte order of another machine: import the data here')
    throw changed('its head')
  }
  if (length > LONGEST_DESCRIPTION || length > file.size) throw changed('its head')
  const description = Buffer.alloc(length)
  await file.read(description, HEAD_BYTES)
  if (checksum(description, checksum(head.subarray(0, CHECKED_HEAD))) !== sum)
    throw changed('its description')
  if (version !== VERSION)
    throw new UnreadableTableError(
      `it has version ${version} of the form, and this version of the service reads ${VERSION}: run the version that wrote it`,
    )
  return { description: JSON.parse(description.toString()), start: HEAD_BYTES + length }
}

const SWAPPED = 0x04030201

const changed = (what: string) => new DamagedTableError(`the bytes of ${what} have changed`)

/*
 * The format of a table file. A head of 24 bytes: the mark, then four numbers of 32 bits, which are the version of the format,
 * the byte order, the length of the description, and a checksum. The description follows, as JSON: the table's data with
 * every array replaced by its type, place and checksum. Then come the arrays as in memory, in the order of the description. Each
 * array starts at a multiple of 8 bytes. All numbers are little-endian.
 */

export const MARK = Buffer.from('PDSTABLE')
/** Raised when an older version of the service can no longer read a new file. */
export const VERSION = 2
/** A machine with another byte order would write these bytes in another order. */
export const BYTE_ORDER = 0x01020304
export const HEAD_BYTES = MARK.length + 4 * 4
/** The bytes of the head before the checksum. The checksum covers these bytes and the description. */
export const CHECKED_HEAD = HEAD_BYTES - 4

/** Arrays start at multiples of this many bytes. */
export const ALIGNMENT = 8
export const aligned = (bytes: number): number => Math.ceil(bytes / ALIGNMENT) * ALIGNMENT

/** The types of arrays, by their names in a description. */
export const TYPES = { Uint8Array, Uint16Array, Int32Array, Uint32Array, Float64Array } as const
export type ArrayType = keyof typeof TYPES

/** An array in a description. */
export interface ArrayPlace {
  readonly type: ArrayType
  /** Offset in bytes from the first array. */
  readonly start: number
  /** The number of elements. */
  readonly length: number
  /** Covers the array's bytes and the padding after them. */
  readonly crc32: number
}

/** The members that mark an array and a map in a description. */
export const ARRAY = '$array'
export const MAP = '$map'

/** Arrays that are read at once: new memory takes the time of a core. The other threads remain for the work of requests. */
export const AT_ONCE = 2
/** While requests keep the event loop busy, reading pauses this many times longer: there may be one core for both. */
const PAUSE = 6

/** Bytes that are checked or copied in one turn of the event loop. */
export const PIECE_BYTES = 1 << 20

/** Computes the CRC-32 of bytes. `before` is the CRC-32 of the bytes before them. */
export const checksum: (bytes: Uint8Array, before?: number) => number = crc32
