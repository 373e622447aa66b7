import { crc32 } from 'node:zlib'

/*
 * The form of a table in a file. A head of 24 bytes: the mark, then four numbers of 32 bits, which are the version of the form,
 * the byte order, the length of the description, and a checksum. The description follows, as JSON: the table's data with
 * every array replaced by its type, place and checksum. Then come the arrays as they lie in memory, each from a multiple of 8 bytes
 * on, in the order of the description. All numbers are little-endian.
 */

export const MARK = Buffer.from('PDSTABLE')
/** Raised where an older version of the service could not read a file any more. */
export const VERSION = 2
/** Versions that are still read. Files of version 1 have further indexes, which are left out. */
export const READABLE: readonly number[] = [1, VERSION]
export const LEFT_OUT: readonly string[] = ['pairs', 'matrix', 'covering']
/** Other bytes where the machine that wrote the file has another byte order. */
export const BYTE_ORDER = 0x01020304
export const HEAD_BYTES = MARK.length + 4 * 4
/** The bytes of the head before the checksum, which is over them and the description. */
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
  /** In bytes, from the first array on. */
  readonly start: number
  /** Its number of elements. */
  readonly length: number
  /** Over its bytes and the padding after them. */
  readonly crc32: number
}

/** The members by which a description tells an array, and a map, from other objects. */
export const ARRAY = '$array'
export const MAP = '$map'

/** Bytes that are checked or copied in one turn of the event loop. */
export const PIECE_BYTES = 1 << 20

/** Computes the CRC-32 of bytes, which may be a part of more. */
export const checksum: (bytes: Uint8Array, before?: number) => number = crc32
