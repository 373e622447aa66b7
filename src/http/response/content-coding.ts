import { promisify } from 'node:util'
import { type BrotliOptions, brotliCompress, constants, gzip } from 'node:zlib'
import Negotiator from 'negotiator'
import type { MaybePromise } from '../../values/maybe-promise.ts'
import { memoise } from '../../values/memoise.ts'

/** The content codings that answers come in, best first (RFC 9110 8.4.1). */
export const CODINGS = ['br', 'gzip', 'identity'] as const
export type Coding = (typeof CODINGS)[number]

/** Below this many bytes compressing costs more than it saves. */
export const LEAST_COMPRESSED = 1024

const brotli = promisify<Buffer, BrotliOptions, Buffer>(brotliCompress)

const compressors = {
  // 5 is the highest quality that costs about as little time as gzip does.
  br: (body: Buffer) => brotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: promisify<Buffer, Buffer>(gzip),
}

/** The coding that the consumer likes best of ours; where it accepts none of them, identity all the same. */
export function preferredCoding(acceptEncoding: string | undefined): Coding {
  return acceptEncoding === undefined ? 'identity' : bestCoding(acceptEncoding)
}

const bestCoding = memoise((acceptEncoding): Coding => {
  const negotiator = new Negotiator({ headers: { 'accept-encoding': acceptEncoding } })
  const acceptable = negotiator.encodings([...CODINGS])
  return CODINGS.find(coding => acceptable.includes(coding)) ?? 'identity'
})

const compressed = new WeakMap<Buffer, Map<Coding, Promise<Buffer>>>()

/** The body in a coding. A Buffer that is served again and again is compressed once: what comes out is kept with it. */
export function encode(body: Buffer, coding: Coding): MaybePromise<Buffer> {
  if (coding === 'identity') return body
  const kept = compressed.get(body) ?? new Map<Coding, Promise<Buffer>>()
  compressed.set(body, kept)
  const result = kept.get(coding) ?? compressors[coding](body)
  kept.set(coding, result)
  // What failed once, for want of memory, may work the next time.
  result.catch(() => kept.delete(coding))
  return result
}
