import { randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { BlockList, isIP } from 'node:net'
import { type ParameterError, Problem } from '../errors.ts'
import { memoiseSent } from '../values/memoise.ts'
import { HTTP_LIMITS } from './limits.ts'

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

/** A valid traceparent (W3C Trace Context 3.2). A later version may continue after the flags; empty ids are invalid. */
const TRACEPARENT = /^(?!ff|00.{54})[\da-f]{2}-((?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2})(?![^-])/

/** Random digits for the ids of the next requests: drawing them one by one would take several times as long. */
let digits = ''

/** The trace of a request: the one of its `traceparent` if that is valid, otherwise a new one. */
export function traceOf(traceparent?: string | string[]) {
  let ids = traceparent === undefined ? undefined : TRACEPARENT.exec(String(traceparent))?.[1]
  if (ids === undefined) {
    if (digits.length < 48) digits = randomBytes(4096).toString('hex')
    ids = `${digits.slice(0, 32)}-${digits.slice(32, 48)}-00`
    digits = digits.slice(48)
  }
  // Browsers and monitoring scripts read this form.
  return { id: ids.slice(0, 32), header: ['server-timing', `traceparent;desc="00-${ids}"`] }
}

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

/**
 * Creates a function that returns the client's address. X-Forwarded-For is used only from the trusted proxies (addresses or
 * CIDRs): the client is the last address that is not a trusted proxy. A port after an address is ignored. An entry that is not
 * an address ends the search. The client is then the socket's address, so that nobody can make up clients.
 */
export function clientAddressReader(trusted: readonly string[]): (message: IncomingMessage) => string {
  if (trusted.length === 0) return ({ socket }) => socket.remoteAddress ?? ''
  const isTrusted = trustedProxies(trusted)
  return ({ socket, headers }) => {
    const { remoteAddress = '' } = socket
    const forwarded = String(headers['x-forwarded-for'] ?? '').split(',')
    let address = remoteAddress
    while (isTrusted(address)) {
      const next = forwarded.pop()
      if (next === undefined) return address
      const parsed = withoutPort(next.trim())
      if (isIP(parsed) === 0) return remoteAddress
      address = parsed
    }
    return address
  }
}

/** An address as proxies write it: `192.0.2.1:4711`, `[2001:db8::1]:4711` and `[2001:db8::1]` without port and brackets. */
function withoutPort(written: string): string {
  const [, bracketed, plain] = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d{1,5})?$/.exec(written) ?? []
  return bracketed ?? plain ?? written
}

function trustedProxies(trusted: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const entry of trusted) {
    const [address = '', bits] = entry.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return address => {
    const family = isIP(address)
    return family !== 0 && list.check(address, family === 6 ? 'ipv6' : 'ipv4')
  }
}

/** The key that a client is counted by: its IPv4 address, or the /64 of its IPv6 address, usually one household. */
export const clientKey = memoiseSent((sent): string => {
  const address = withoutMapping(sent)
  return isIP(address) === 6 ? `${leadingGroups(address).join(':')}::/64` : address
})

/** An IPv4 address in IPv6 notation (RFC 4291 2.5.5.2), rewritten as IPv4. */
const withoutMapping = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '')

/** The first four of the eight groups of an IPv6 address, each in its shortest form. */
function leadingGroups(address: string): string[] {
  const [head = '', tail] = (address.split('%', 1)[0] ?? '')
    .replace(/(?:\d{1,3}\.){3}\d{1,3}$/, '0:0')
    .split('::')
  const groups = (text: string) => (text === '' ? [] : text.split(':'))
  const [first, last] = [groups(head), groups(tail ?? '')]
  const zeros = Array.from({ length: Math.max(0, 8 - first.length - last.length) }, () => '0')
  return [...first, ...zeros, ...last].slice(0, 4).map(group => Number.parseInt(group, 16).toString(16))
}

/** The bodies that a route takes. */
export interface AcceptedBody {
  readonly mediaType: string
  readonly maxBytes: number
}

/** The most bytes of unfinished bodies held at a time, for all clients together. */
const MAX_HELD_BYTES = 16 * 2 ** 20

const RETRY_AFTER_S = 2

/**
 * Creates a reader of bodies that limits the bytes held for all clients together. It throws UNSUPPORTED_MEDIA_TYPE,
 * CONTENT_TOO_LARGE as soon as the size is known, and OVERLOADED if too much is held. A body that does not arrive in time gets
 * REQUEST_TIMEOUT, one that breaks off BAD_REQUEST. The rest of a refused body is dropped as it arrives.
 */
export function createBodyReader() {
  let heldBytes = 0

  return (message: IncomingMessage, response: ServerResponse, accepted: AcceptedBody) =>
    new Promise<Buffer>((resolve, reject) => {
      requireAccepted(message, accepted)
      const parts: Buffer[] = []
      let length = 0
      // Node's own timeout does not help: it waits for the response, and the response waits for the body.
      const patience = HTTP_LIMITS.requestTimeout - (performance.now() - arrivalOf(message))
      const timer = setTimeout(() => end(tooSlow()), patience)

      const take = (part: Buffer) => {
        length += part.length
        heldBytes += part.length
        parts.push(part)
        if (length > accepted.maxBytes) end(tooLarge(accepted))
        else if (heldBytes > MAX_HELD_BYTES) end(overloaded())
      }
      const complete = () => end()
      const breakOff = () => end(new Problem('BAD_REQUEST', 'The body of the request is incomplete.'))

      function end(problem?: Problem): void {
        clearTimeout(timer)
        heldBytes -= length
        message.off('data', take).off('end', complete).off('close', breakOff)
        message.resume()
        if (problem === undefined) resolve(Buffer.concat(parts))
        else reject(problem)
      }

      message.on('data', take).on('end', complete).on('close', breakOff)
      // A broken connection also emits 'error', before 'close'.
      message.on('error', () => {})
      if (message.headers.expect !== undefined) response.writeContinue()
    })
}

function requireAccepted({ headers }: IncomingMessage, accepted: AcceptedBody): void {
  const [type = ''] = (headers['content-type'] ?? '').split(';', 1)
  if (type.trim().toLowerCase() !== accepted.mediaType)
    throw new Problem('UNSUPPORTED_MEDIA_TYPE', `The body must be ${accepted.mediaType}.`)
  if (headers['content-encoding'] !== undefined)
    throw new Problem('UNSUPPORTED_MEDIA_TYPE', 'The body must not have a content coding.')
  if (Number(headers['content-length'] ?? 0) > accepted.maxBytes) throw tooLarge(accepted)
}

const tooLarge = ({ maxBytes }: AcceptedBody) =>
  new Problem('CONTENT_TOO_LARGE', `The body has more than ${maxBytes} bytes.`)

const tooSlow = () =>
  new Problem('REQUEST_TIMEOUT', 'The body of the request did not arrive in time.', {
    headers: { connection: 'close' },
  })

const overloaded = () =>
  new Problem('OVERLOADED', 'Too many bodies are being received.', { retryAfterS: RETRY_AFTER_S })
