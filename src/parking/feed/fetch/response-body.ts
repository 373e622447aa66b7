import type { IncomingHttpHeaders } from 'node:http'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib'
import { declaredEncoding } from '../../../sources/encodings.ts'
import { FetchError, tooLarge } from '../../../sources/fetch/fetch-error.ts'

/** The largest response body, both as sent and when decompressed. */
export const MAX_BODY_BYTES = 1024 * 1024

/** Reads a response's text within {@link MAX_BODY_BYTES}. Throws {@link FetchError}. */
export async function readBody(chunks: AsyncIterable<Buffer>, headers: IncomingHttpHeaders): Promise<string> {
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
