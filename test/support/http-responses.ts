import { brotliDecompressSync, gunzipSync } from 'node:zlib'

/** One response of a connection. */
export interface ParsedResponse {
  readonly status: number
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>
  /** Decoded from its content coding. */
  readonly body: string
}

const STATUS_LINE = /^HTTP\/1\.1 ([2-5]\d\d) [\x20-\x7e]+$/
/** RFC 9110 5.5: a name is a token, a value has no control characters and no blanks around it. */
const HEADER_LINE = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+): ((?:[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)?)$/
/** Statuses whose response has no body whatever its headers say (RFC 9112 6.3). */
const WITHOUT_BODY = [204, 304]

/**
 * The responses that bytes consist of, read as strictly as RFC 9110 and 9112 are written; throws where they are anything
 * else, unless they merely end too early and `mayBeCut` allows it. With `mayBeHead` a response may lack the body that its
 * length announces.
 */
export function parseResponses(
  bytes: Buffer,
  { mayBeHead = false, mayBeCut = false }: { mayBeHead?: boolean; mayBeCut?: boolean } = {},
): ParsedResponse[] {
  const responses: ParsedResponse[] = []
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf('\r\n\r\n', at)
    if (end < 0) {
      if (mayBeCut) return responses
      throw new Error(`no end of the headers: ${shown(bytes, at)}`)
    }
    const { status, headers } = parseHead(bytes.toString('latin1', at, end))
    const start = end + 4
    const length = WITHOUT_BODY.includes(status) ? 0 : lengthOf(headers)
    const isHead = mayBeHead && length > 0 && (start === bytes.length || startsResponse(bytes, start))
    at = start + (isHead ? 0 : length)
    if (at > bytes.length) {
      if (mayBeCut) return responses
      throw new Error(`${bytes.length - start} of ${length} bytes: ${shown(bytes, start)}`)
    }
    if (at < bytes.length && !startsResponse(bytes, at, mayBeCut))
      throw new Error(`bytes after a response: ${shown(bytes, at)}`)
    responses.push({ status, headers, body: decode(bytes.subarray(start, at), headers) })
  }
  return responses
}

function parseHead(text: string): Pick<ParsedResponse, 'status' | 'headers'> {
  const [first = '', ...lines] = text.split('\r\n')
  const [, status] = STATUS_LINE.exec(first) ?? []
  if (status === undefined) throw new Error(`no status line: ${JSON.stringify(first.slice(0, 100))}`)
  const headers = new Map<string, string>()
  for (const line of lines) {
    const [, name = '', value = ''] = HEADER_LINE.exec(line) ?? []
    if (name === '') throw new Error(`no header: ${JSON.stringify(line.slice(0, 100))}`)
    if (headers.has(name.toLowerCase())) throw new Error(`twice: ${name}`)
    headers.set(name.toLowerCase(), value)
  }
  return { status: Number(status), headers }
}

function lengthOf(headers: ReadonlyMap<string, string>): number {
  const length = headers.get('content-length') ?? ''
  if (headers.has('transfer-encoding') || !/^\d+$/.test(length)) throw new Error(`a length of ${length}`)
  return Number(length)
}

function startsResponse(bytes: Buffer, at: number, mayBeCut = false): boolean {
  const start = bytes.toString('latin1', at, at + 9)
  return start === 'HTTP/1.1 ' || (mayBeCut && 'HTTP/1.1 '.startsWith(start))
}

function decode(body: Buffer, headers: ReadonlyMap<string, string>): string {
  if (body.length === 0) return ''
  const coding = headers.get('content-encoding')
  if (coding === 'br') return brotliDecompressSync(body).toString()
  return (coding === 'gzip' ? gunzipSync(body) : body).toString()
}

const shown = (bytes: Buffer, at: number) => JSON.stringify(bytes.toString('latin1', at, at + 100))
