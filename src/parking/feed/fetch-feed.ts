import type { IncomingHttpHeaders } from 'node:http'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib'
import { declaredEncoding } from '../../sources/encodings.ts'
import { FetchError, tooLarge } from '../../sources/fetch/fetch-error.ts'
import { type FetchOptions, mediaTypeOf, openAddress } from '../../sources/fetch/open-address.ts'
import { shown } from './mapping.ts'

/** With the time of closing, a fetch is over within 2 s. */
export const DEADLINE_MS = 1900

/** The largest response body, both as sent and when decompressed. */
const MAX_BODY_BYTES = 1024 * 1024

/** The operator's own network may have the feed, and its simulation is on this machine. */
const RULES = {
  accept: 'application/json, text/plain;q=0.5',
  acceptEncoding: 'gzip, deflate, br',
  maxBytes: MAX_BODY_BYTES,
  allowPrivate: true,
}

/**
 * Fetches the feed once: http or https, no redirect followed, bounded in time, headers and body. The text is undefined for
 * 304. Throws {@link FetchError}, or the signal's reason.
 */
export async function fetchFeed(
  address: string,
  options: Partial<Pick<FetchOptions, 'validators' | 'deadlineMs' | 'signal'>> = {},
) {
  const response = await openAddress(address, { ...RULES, deadlineMs: DEADLINE_MS, ...options })
  const { headers, validators, chunks, close } = response
  try {
    if (chunks === undefined) return { text: undefined, validators }
    checkType(headers)
    return { text: await readBody(chunks, headers), validators }
  } finally {
    await close()
  }
}

/** JSON, or plain text that may be JSON; a page of HTML is an error page. Without a type the body decides. */
function checkType(headers: IncomingHttpHeaders): void {
  const type = mediaTypeOf(headers)
  const isJson = /^[\w.-]+\/([\w.-]+\+)?json$/.test(type)
  const isText = type.startsWith('text/') && type !== 'text/html'
  if (type !== '' && !isJson && !isText)
    throw new FetchError('type', `the response is ${shown(type)}, neither JSON nor text`)
}

/** Reads a response's text within {@link MAX_BODY_BYTES}. Throws {@link FetchError}. */
async function readBody(chunks: AsyncIterable<Buffer>, headers: IncomingHttpHeaders): Promise<string> {
  const sent: Buffer[] = []
  for await (const chunk of chunks) sent.push(chunk)
  const bytes = await decompress(Buffer.concat(sent), headers['content-encoding'])
  return new TextDecoder(declaredEncoding(headers['content-type']).encoding).decode(bytes)
}

async function decompress(bytes: Buffer, encoding = 'identity'): Promise<Buffer> {
  const decode = decompressorFor(encoding.trim().toLowerCase(), bytes)
  if (decode === undefined) return bytes
  try {
    return await decode(bytes, { maxOutputLength: MAX_BODY_BYTES })
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ERR_BUFFER_TOO_LARGE')
      throw tooLarge(MAX_BODY_BYTES, cause)
    throw new FetchError('unreadable', `the response is not valid ${encoding}`, { cause })
  }
}

function decompressorFor(encoding: string, bytes: Buffer) {
  if (encoding === 'identity' || encoding === '') return undefined
  if (encoding === 'gzip' || encoding === 'x-gzip') return promisify(gunzip)
  if (encoding === 'br') return promisify(brotliDecompress)
  // RFC 9110 8.4.1.2: some send "deflate" without its zlib wrapper, whose first byte ends in 8.
  if (encoding === 'deflate')
    return ((bytes[0] ?? 0) & 0x0f) === 8 ? promisify(inflate) : promisify(inflateRaw)
  throw new FetchError('unreadable', 'the response has a content coding that was not requested')
}
