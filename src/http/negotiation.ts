import type { Transform } from 'node:stream'
import { promisify } from 'node:util'
import * as zlib from 'node:zlib'
import Negotiator from 'negotiator'
import { Problem } from '../errors.ts'
import type { Format } from '../values/format.ts'
import { memoise, memoiseSent } from '../values/memoise.ts'
import type { MaybePromise } from '../values/promises.ts'

export const JSON_TYPE = 'application/json'

/** The format of every response that has no other formats. */
export const JSON_FORMAT: Format = { name: 'json', mediaType: `${JSON_TYPE}; charset=utf-8` }

/** The parameters of media ranges, except the weight. */
const RANGE_PARAMETERS = /;(?!\s*q\s*=)[^;,]*/gi

/**
 * Creates a function that returns the offered format that an Accept header prefers (RFC 9110 12.5.1). Without a preference, the
 * first offered format wins. The result is undefined if the header accepts no offered format. Parameters of media types, such
 * as charset, are ignored.
 */
export function formatNegotiator(
  offered: readonly Format[],
): (accept: string | undefined) => Format | undefined {
  const named = offered.flatMap(format =>
    [format.mediaType, format.alsoNamed ?? []].flat().map(type => ({ type: essenceOf(type), format })),
  )
  const preferred = preferenceAmong(named.map(({ type }) => type).join())
  return accept => (accept === undefined ? offered[0] : named[preferred(accept)]?.format)
}

/** A function from an Accept header to the index of the preferred media type, or -1. Equal lists of types share a function. */
const preferenceAmong = memoise((list: string) => {
  const types = list.split(',')
  return memoiseSent(accept => {
    if (accept.trim() === '') return 0
    const headers = { accept: accept.replace(RANGE_PARAMETERS, '') }
    return types.indexOf(new Negotiator({ headers }).mediaType(types) ?? '')
  })
})

/** Whether a media type is JSON, or has its syntax (RFC 6839 3.1). */
export const isJson = ({ mediaType }: Format): boolean =>
  /^application\/(.+\+)?json$/.test(essenceOf(mediaType))

/** Names formats for people: the word that selects each, and its media type. */
export const namesOf = (formats: readonly Format[]): readonly string[] =>
  formats.map(({ name, mediaType }) => `${name} (${essenceOf(mediaType)})`)

/** Throws the problem NOT_ACCEPTABLE unless the Accept header takes one of the media types (RFC 9110 12.5.1). */
export function requireAcceptable(accept: string | undefined, ...types: readonly string[]): void {
  if (!types.some(type => accepts(accept, type))) throw notAcceptable(types.map(essenceOf))
}

/** The problem for a request that accepts no format of an endpoint. */
export const notAcceptable = (
  returned: readonly string[],
  why = 'which the Accept header does not allow',
): Problem => new Problem('NOT_ACCEPTABLE', `This endpoint returns ${returned.join(' or ')}, ${why}.`)

/** Whether the Accept header takes the media type; a request without the header takes any. */
const accepts = (accept: string | undefined, type: string): boolean =>
  accept === undefined || negotiatorOf(type)(accept) !== undefined

const negotiatorOf = memoise((type: string) => formatNegotiator([{ name: '', mediaType: type }]))

/** A media type without its parameters. */
export const essenceOf = (type: string): string => type.split(';', 1).join('')

/** The content codings of responses, best first (RFC 9110 8.4.1). */
export const CODINGS = ['br', 'gzip', 'identity'] as const
export type Coding = (typeof CODINGS)[number]

/** Below this many bytes, compression costs more than it saves. */
export const COMPRESSION_THRESHOLD = 1024

/** `fast` for responses compressed on request, `thorough` for those compressed in advance. */
export type Effort = 'fast' | 'thorough'

const GZIP_LEVEL = { fast: 1, thorough: 9 }
const BROTLI_QUALITY = { fast: 3, thorough: 9 }

/** Up to this size, compressing takes less time than handing the body to another thread. */
const SYNCHRONOUS_BYTES = 65_536

const brotliOptions = (effort: Effort, size?: number): zlib.BrotliOptions => ({
  params: {
    [zlib.constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY[effort],
    ...(size === undefined ? {} : { [zlib.constants.BROTLI_PARAM_SIZE_HINT]: size }),
  },
})
const gzipOptions = (effort: Effort): zlib.ZlibOptions => ({ level: GZIP_LEVEL[effort] })

const brotli = promisify<Buffer, zlib.BrotliOptions, Buffer>(zlib.brotliCompress)
const gzip = promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.gzip)

/** Compresses a body; a small one synchronously. */
export function compress(
  body: Buffer,
  coding: Exclude<Coding, 'identity'>,
  effort: Effort,
): MaybePromise<Buffer> {
  const isSmall = body.length <= SYNCHRONOUS_BYTES && effort === 'fast'
  if (coding === 'gzip')
    return isSmall ? zlib.gzipSync(body, gzipOptions(effort)) : gzip(body, gzipOptions(effort))
  const options = brotliOptions(effort, body.length)
  return isSmall ? zlib.brotliCompressSync(body, options) : brotli(body, options)
}

/** A window of 256 KiB instead of 4 MiB: the same size of result, in a fifth of the memory. */
const STREAM_WINDOW_BITS = 18

/** Creates a transform that compresses a streamed body. */
export function compressor(coding: Exclude<Coding, 'identity'>): Transform {
  if (coding === 'gzip') return zlib.createGzip(gzipOptions('fast'))
  const { params } = brotliOptions('fast')
  return zlib.createBrotliCompress({
    params: { ...params, [zlib.constants.BROTLI_PARAM_LGWIN]: STREAM_WINDOW_BITS },
  })
}

/** The memory of a compressor and the data inside it, measured with exports of the register. */
export const COMPRESSOR_BYTES: Readonly<Record<Coding, number>> = {
  br: 1_150_000,
  gzip: 500_000,
  identity: 0,
}

/** The best supported coding that the client accepts; identity if it accepts none. */
export function preferredCoding(acceptEncoding: string | undefined): Coding {
  return acceptEncoding === undefined ? 'identity' : bestCoding(acceptEncoding)
}

const bestCoding = memoiseSent((acceptEncoding): Coding => {
  const negotiator = new Negotiator({ headers: { 'accept-encoding': acceptEncoding } })
  const acceptable = negotiator.encodings([...CODINGS])
  return CODINGS.find(coding => acceptable.includes(coding)) ?? 'identity'
})
