import { lookup } from 'node:dns'
import type { IncomingHttpHeaders } from 'node:http'
import { isIP, type LookupFunction } from 'node:net'
import { unescape as percentDecoded } from 'node:querystring'
import type { Readable } from 'node:stream'
import ipaddr from 'ipaddr.js'
import { shownAddress } from '../../values/addresses/shown-address.ts'
import { asFetchError, FetchError, tooLarge } from './fetch-error.ts'

/** The validators of a response (RFC 9110 8.8), for conditional requests. */
export interface Validators {
  readonly etag?: string | undefined
  readonly lastModified?: string | undefined
}

export interface FetchOptions {
  /** The request's Accept and Accept-Encoding. */
  readonly accept: string
  readonly acceptEncoding: string
  /** The validators of the last good response. */
  readonly validators?: Validators | undefined
  /** The deadline of the whole fetch, connecting and reading included. */
  readonly deadlineMs: number
  /** The longest body, as sent; for several responses, all bodies together. */
  readonly maxBytes: number
  /** Redirects that are followed within the host ({@link addressWithin}); 0 if absent. */
  readonly maxRedirects?: number
  /** Whether addresses of this machine and of private networks are allowed. */
  readonly allowPrivate: boolean
  readonly signal?: AbortSignal | undefined
}

/** A response whose body is still to be read. */
export interface OpenedAddress {
  /** The address of the response, after redirects. */
  readonly url: URL
  readonly headers: IncomingHttpHeaders
  readonly validators: Validators
  /** The body as it was sent, read once; undefined for 304. Throws {@link FetchError}, or the signal's reason. */
  readonly chunks: AsyncIterable<Buffer> | undefined
  /** Requests another address within the same bounds, once the chunks have been read. */
  open(url: URL): Promise<OpenedAddress>
  /** Ends the connection. Must be called. */
  close(): Promise<void>
}

const MAX_HEADER_BYTES = 16 * 1024

/**
 * Requests an http or https address: bounded in time, redirects, headers and body. Throws {@link FetchError}, or the
 * signal's reason.
 */
export async function openAddress(address: string, options: FetchOptions): Promise<OpenedAddress> {
  const { deadlineMs, allowPrivate, maxBytes, maxRedirects = 0 } = options
  const first = webAddress(address)
  const host = first.hostname.replace(/^\[|\]$/g, '')
  // The connection looks up names.
  if (!allowPrivate && isIP(host) !== 0 && isPrivate(host)) throw refusalOf(host)
  // Imported lazily: an import of a file does not need it.
  const { Agent } = await import('undici')
  const { signal, release } = deadline(deadlineMs, options.signal)
  // The signal ends connecting as well: undici's own timer for connecting ticks only twice a second.
  const connect = {
    timeout: 0,
    signal,
    autoSelectFamily: true,
    lookup: allowPrivate ? undefined : publicLookup,
  }
  // A connection for each fetch: the rest of one response cannot spoil the next.
  const agent = new Agent({ maxHeaderSize: MAX_HEADER_BYTES, connect, connections: 1 })
  const close = async () => {
    release()
    await agent.destroy()
  }
  const explain = (error: unknown) => (signal.aborted ? signal.reason : asFetchError(error))
  let taken = 0
  async function* bounded(body: Readable): AsyncGenerator<Buffer> {
    let size = 0
    try {
      for await (const chunk of body) {
        size += chunk.length
        taken += chunk.length
        if (taken > maxBytes) throw tooLarge(maxBytes)
        yield chunk
      }
    } catch (thrown) {
      const error = explain(thrown)
      if (!(error instanceof FetchError) || error.kind !== 'refused') throw error
      throw new FetchError('refused', `the response broke off after ${size} bytes`, { cause: error })
    }
  }
  const open = async (from: URL, validators: Validators = {}): Promise<OpenedAddress> => {
    let url = from
    try {
      signal.throwIfAborted()
      for (let redirects = 0; ; redirects++) {
        const { origin, pathname, search } = url
        const asked = { origin, path: pathname + search, headers: requestHeaders(url, options, validators) }
        const response = await agent.request({ method: 'GET', ...asked, signal })
        // Ignored: the unread rest ends with the connection.
        response.body.on('error', () => {})
        const { statusCode: status, headers } = response
        const opened = { url, headers, open, close }
        if (status === 304 && (validators.etag ?? validators.lastModified) !== undefined)
          return { ...opened, validators, chunks: undefined }
        const location = one(headers.location)
        if (location !== undefined && maxRedirects > 0 && [301, 302, 303, 307, 308].includes(status)) {
          if (redirects === maxRedirects)
            throw new FetchError('redirect', `redirected more than ${maxRedirects} times`, { status })
          url = addressWithin(url, location, shown => `the address has moved to ${shown}: use that`)
          await response.body.dump()
          continue
        }
        checkStatus(status, headers)
        if (taken + Number(headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes)
        return { ...opened, validators: validatorsOf(headers), chunks: bounded(response.body) }
      }
    } catch (error) {
      await close()
      throw explain(error)
    }
  }
  return open(first, options.validators)
}

/** Parses an http or https address. Throws {@link FetchError}. */
function webAddress(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new FetchError('refused', 'the address does not start with http:// or https://')
  return url
}

/** One deadline for the whole fetch, joined with the caller's signal. */
function deadline(milliseconds: number, outer?: AbortSignal): { signal: AbortSignal; release: () => void } {
  const controller = new AbortController()
  const forward = () => controller.abort(outer?.reason)
  const late = () =>
    controller.abort(new FetchError('timeout', `no complete response within ${milliseconds} ms`))
  const timer = setTimeout(late, milliseconds)
  outer?.addEventListener('abort', forward, { once: true })
  if (outer?.aborted) forward()
  const release = () => {
    clearTimeout(timer)
    outer?.removeEventListener('abort', forward)
  }
  return { signal: controller.signal, release }
}

/** The header Authorization for the user and the password of an address (RFC 7617); undefined if it has neither. */
export function basicAuthorization({ username, password }: URL): string | undefined {
  const userInfo = percentDecoded(`${username}:${password}`)
  return userInfo === ':' ? undefined : `Basic ${Buffer.from(userInfo).toString('base64')}`
}

/** RFC 9110 13.1.2 and 13.1.3: a server that ignores the first condition uses the second. */
function requestHeaders(
  url: URL,
  { accept, acceptEncoding }: FetchOptions,
  { etag, lastModified }: Validators,
): Record<string, string | undefined> {
  return {
    accept,
    'accept-encoding': acceptEncoding,
    'user-agent': 'public-data-service',
    'if-none-match': etag,
    'if-modified-since': lastModified,
    authorization: basicAuthorization(url),
  }
}

/**
 * Resolves an address that a server refers to, with the same user. Throws {@link FetchError} unless the address has the
 * same origin, or https on the same host: the operator chose which host to trust. The message shows the whole address,
 * unless a part may be a key.
 */
export function addressWithin(url: URL, reference: string, message: (shown: string) => string): URL {
  const target = URL.canParse(reference, url.href) ? new URL(reference, url) : undefined
  const isSecured = target?.protocol === 'https:' && target.hostname === url.hostname
  if (target === undefined || (target.origin !== url.origin && !isSecured)) {
    const mayHoldKey = /[?#@]|^(?!https?:)/i.test(`${target?.href ?? ''} ${url.href}`)
    throw new FetchError('redirect', message(target && !mayHoldKey ? target.href : shownAddress(reference)))
  }
  target.username = url.username
  target.password = url.password
  target.hash = ''
  return target
}

function checkStatus(status: number, headers: IncomingHttpHeaders): void {
  if (status === 200) return
  if (status >= 300 && status < 400 && status !== 304)
    throw new FetchError(
      'redirect',
      `redirected to ${shownAddress(one(headers.location) ?? '')}, which is not followed`,
      { status },
    )
  const retryAfterMs = status === 429 || status === 503 ? readRetryAfter(headers, Date.now()) : undefined
  throw new FetchError('status', `the server responded with status ${status}`, { status, retryAfterMs })
}

function validatorsOf(headers: IncomingHttpHeaders): Validators {
  return { etag: usable(one(headers.etag)), lastModified: usable(one(headers['last-modified'])) }
}

/** A value that may be sent back in a header. */
const usable = (value: string | undefined): string | undefined =>
  value !== undefined && /^[\x20-\x7e]{1,256}$/.test(value) ? value : undefined

/** The first value of a header that was sent more than once. */
const one = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value[0] : value

/** The media type of a response, in lower case; empty if absent. */
export const mediaTypeOf = (headers: IncomingHttpHeaders): string =>
  (one(headers['content-type']) ?? '').split(';', 1).join('').trim().toLowerCase()

/**
 * Reads Retry-After (RFC 9110 10.2.3) in milliseconds; undefined if absent. A date is compared with the response's own
 * `Date`, so that the clocks of the two machines need not agree.
 */
export function readRetryAfter(headers: IncomingHttpHeaders, now: number): number | undefined {
  const value = headers['retry-after']?.trim() ?? ''
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000
  // The forms of RFC 9110 5.6.7 begin with a weekday; Date.parse also accepts other forms.
  const at = /^[A-Z][a-z]{2,8},? /.test(value) ? Date.parse(value) : Number.NaN
  if (Number.isNaN(at)) return undefined
  const sent = Date.parse(headers.date ?? '')
  return Math.max(0, at - (Number.isNaN(sent) ? now : sent))
}

/** Whether an IP address belongs to this machine, to a network that is not public, or to a tunnel into such a network. */
export function isPrivate(address: string): boolean {
  const parsed = ipaddr.process(address)
  if (parsed.range() !== 'unicast') return true
  // Only this block of IPv6 is in public use. Other blocks have old forms of private IPv4 addresses, such as ::127.0.0.1.
  return parsed instanceof ipaddr.IPv6 && !parsed.match(ipaddr.IPv6.parseCIDR('2000::/3'))
}

/**
 * Looks up the addresses of a name, and fails if any address is private. The connection uses exactly these addresses,
 * so the name cannot be rebound in between.
 */
const publicLookup: LookupFunction = (hostname, options, callback) =>
  lookup(hostname, { ...options, all: true }, (error, addresses = []) => {
    const found = addresses.find(({ address }) => isPrivate(address))
    callback(error ?? (found === undefined ? null : refusalOf(found.address)), addresses)
  })

const refusalOf = (address: string) =>
  new FetchError(
    'private',
    `${address} is an address of this machine or of a private network; to allow it, use --allow-private or the source's allowPrivate`,
  )
