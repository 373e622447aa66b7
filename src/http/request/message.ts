import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { type ParameterError, Problem } from '../../errors.ts'

/** The limit of other servers. Node's parser leaves out headers beyond 2,000, and a second Host may be among them. */
const MAX_HEADERS = 100

/** A request whose route is known. */
export interface ParsedRequest {
  /** The target as sent. */
  readonly url: string
  readonly queryString: string
  readonly headers: IncomingHttpHeaders
  /** The body, where the route takes one. */
  readonly body?: Buffer
  /** The variable parts of the path by name, decoded. */
  readonly params: Readonly<Record<string, string>>
  /** Headers of the response, whether the request succeeds or fails: names in lower case, alternating with values. */
  readonly responseHeaders: string[]
  /** Returns the client's key for limits and shares: its IPv4 address, or the /64 of its IPv6 address. */
  readonly client: () => string
  /** The response. Only a body that is attached to it may write to it. */
  readonly response: ServerResponse
}

/**
 * Refuses messages that Node's parser accepts but caches and proxies may read differently, and closes the connection. Throws
 * HEADERS_TOO_LARGE for too many headers, otherwise BAD_REQUEST. Refused are several Host headers, an invalid one or, in
 * HTTP/1.1, a missing one (RFC 9112 3.2); Transfer-Encoding in HTTP/1.0 (RFC 9112 6.1) or other than chunked (6.3). Also
 * refused are a target that is not a path, an unknown expectation, and a protocol other than HTTP/1.0 or 1.1.
 */
export function requireUnambiguous(message: IncomingMessage): void {
  if (message.rawHeaders.length > 2 * MAX_HEADERS)
    throw new Problem('HEADERS_TOO_LARGE', `The request has more than ${MAX_HEADERS} headers.`, {
      headers: { connection: 'close' },
    })
  const wrong = ambiguity(message, countHosts(message.rawHeaders))
  if (wrong !== undefined) throw new Problem('BAD_REQUEST', wrong, { headers: { connection: 'close' } })
}

function ambiguity(message: IncomingMessage, hosts: number): string | undefined {
  const { httpVersion, headers, url = '', method } = message
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return 'The protocol is not HTTP/1.0 or HTTP/1.1.'
  if (hosts > 1) return 'The request has several Host headers.'
  if (hosts === 0 && httpVersion === '1.1') return 'The request has no Host header.'
  if (headers.host !== undefined && !isHost(headers.host)) return 'The Host header is not a host.'
  const coding = headers['transfer-encoding']
  if (coding !== undefined && httpVersion === '1.0') return 'HTTP/1.0 has no Transfer-Encoding.'
  if (coding !== undefined && coding.toLowerCase() !== 'chunked')
    return 'The only transfer coding that is read is chunked.'
  if ((!url.startsWith('/') || url.includes('#')) && !(method === 'OPTIONS' && url === '*'))
    return 'The target is not a path.'
  if (headers.expect !== undefined && headers.expect.toLowerCase() !== '100-continue')
    return 'The only expectation that is met is 100-continue.'
  return undefined
}

/** A host and an optional port (RFC 3986 3.2.2); it may be empty. */
const isHost = (host: string): boolean => /^(?:\[[\da-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d{0,5})?$/i.test(host)

const ARRIVAL = Symbol('arrival')

interface Received extends IncomingMessage {
  [ARRIVAL]?: number
}

/** Records the arrival of a request that waits before it is handled. */
export function noteArrival(message: Received): void {
  message[ARRIVAL] = performance.now()
}

/** When a request arrived, by `performance.now()`; the present time if the request has not waited. */
export const arrivalOf = (message: Received): number => message[ARRIVAL] ?? performance.now()

/** Counts in the raw headers: `headers` has only the first Host. */
function countHosts(rawHeaders: readonly string[]): number {
  let count = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]
    if (name?.length === 4 && name.toLowerCase() === 'host') count++
  }
  return count
}

/** The path of a request's target. */
export function pathOf(url: string): string {
  const at = url.indexOf('?')
  return at < 0 ? url : url.slice(0, at)
}

/** The query string of a request's target. */
export function queryStringOf(url: string): string {
  const at = url.indexOf('?')
  return at < 0 ? '' : url.slice(at + 1)
}

/** After this many undecodable pairs, the rest of a query is not read: each costs as much as many good pairs. */
const MAX_DECODING_ERRORS = 20

/**
 * Splits a query string into decoded names and values, in the order sent. Pairs that are not valid percent-encoded UTF-8
 * are added to `errors` instead of being guessed; after {@link MAX_DECODING_ERRORS} of them the rest is not read.
 */
export function splitQuery(queryString: string, errors: ParameterError[]): { name: string; value: string }[] {
  const pairs: { name: string; value: string }[] = []
  for (const part of queryString.split('&')) {
    if (part === '') continue
    if (errors.length >= MAX_DECODING_ERRORS) break
    const at = part.indexOf('=')
    const [rawName, rawValue] = at < 0 ? [part, ''] : [part.slice(0, at), part.slice(at + 1)]
    const name = decoded(rawName)
    const value = decoded(rawValue)
    if (name !== undefined && value !== undefined) pairs.push({ name, value })
    else
      errors.push({
        parameter: name ?? rawName.slice(0, 100),
        value: rawValue.slice(0, 100),
        detail: 'is not valid percent-encoded UTF-8',
        allowed: 'UTF-8, with % written as %25',
      })
  }
  return pairs
}

function decoded(text: string): string | undefined {
  if (!/[%+]/.test(text)) return text
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}
