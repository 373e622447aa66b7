import { Problem } from '../errors.ts'

/** The bytes of a file that a response has: from `start` to just before `end`. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** The headers that ask for a part of a file, as Node gives them. */
export interface RangeHeaders {
  readonly range?: string | undefined
  readonly 'if-range'?: string | undefined
}

const ONE_RANGE = /^bytes=\s*(?:(\d{1,15})-(\d{0,15})|-(\d{1,15}))\s*$/i

/**
 * The part of a file that a request asks for (RFC 9110 14.2). Undefined means the whole file: without a valid range, for
 * several ranges, or if If-Range names another version (13.1.5). Throws the problem RANGE_NOT_SATISFIABLE for a range that
 * begins behind the end.
 */
export function requestedRange(
  { range, 'if-range': ifRange }: RangeHeaders,
  { length, etag, lastModified }: { length: number; etag: string; lastModified: string },
): ByteRange | undefined {
  const [, first, last, suffix] = ONE_RANGE.exec(range ?? '') ?? []
  if (first === undefined && suffix === undefined) return undefined
  if (ifRange !== undefined && ifRange !== etag && ifRange !== lastModified) return undefined
  const start = first === undefined ? Math.max(0, length - Number(suffix)) : Number(first)
  const end = first === undefined || !last ? length : Math.min(length, Number(last) + 1)
  // A last byte before the first makes the range invalid. Invalid ranges are ignored (14.1.1).
  if (first !== undefined && last && Number(last) < start) return undefined
  if (start < length && start < end) return { start, end }
  throw new Problem('RANGE_NOT_SATISFIABLE', `The file has ${length} bytes; the range begins behind them.`, {
    headers: { 'content-range': `bytes */${length}` },
  })
}
