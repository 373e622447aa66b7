import { crc32 } from 'node:zlib'

/*
 * The format of a table file. A head of 24 bytes: the mark, then four numbers of 32 bits, which are the version of the format,
 * the byte order, the length of the description, and a checksum. The description follows, as JSON: the table's data with
 * every array replaced by its type, place and checksum. Then come the arrays as in memory, in the order of the description. Each
 * array starts at a multiple of 8 bytes. All numbers are little-endian.
 */

export const MARK = Buffer.from('PDSTABLE')
/** Raised when an older version of the service can no longer read a new file. */
export const VERSION = 2
/** Versions that can still be read. Files of version 1 have more indexes, which are left out. */
export const READABLE: readonly number[] = [1, VERSION]
export const LEFT_OUT: readonly string[] = ['pairs', 'matrix', 'covering']
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

/** Bytes that are checked or copied in one turn of the event loop. */
export const PIECE_BYTES = 1 << 20

/** Computes the CRC-32 of bytes. `before` is the CRC-32 of the bytes before them. */
export const checksum: (bytes: Uint8Array, before?: number) => number = crc32
