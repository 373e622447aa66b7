import type { IncomingHttpHeaders } from 'node:http'
import { Client } from 'undici'
import { shownAddress } from '../../../values/shown-address.ts'
import { shown } from '../mapping/entry.ts'
import { asFeedError, FeedError } from './feed-error.ts'
import { readBody } from './response-body.ts'
import { readRetryAfter } from './retry.ts'

/** The validators of a response (RFC 9110 8.8), for conditional requests. */
export interface Validators {
  readonly etag?: string
  readonly lastModified?: string
}

export interface FetchOptions {
  /** Those of the last good response. */
  readonly validators?: Validators
  /** The deadline of the whole fetch, connecting and reading included. */
  readonly deadlineMs?: number
  readonly signal?: AbortSignal
}

/** The feed's response; `text` is undefined for 304. */
export interface FeedResponse {
  readonly text: string | undefined
  readonly validators: Validators
}

/** With the time of closing, a fetch is over within 2 s. */
export const DEADLINE_MS = 1900
const MAX_HEADER_BYTES = 16 * 1024

/**
 * Fetches the feed once: http or https, no redirect followed, bounded in time, headers and body. Throws
 * {@link FeedError}, or the signal's reason.
 */
export async function fetchFeed(address: string, options: FetchOptions = {}): Promise<FeedResponse> {
  const url = webAddress(address)
  const { deadlineMs = DEADLINE_MS, validators = {} } = options
  const { signal, release } = deadline(deadlineMs, options.signal)
  // A connection for each fetch: the rest of one response cannot spoil the next.
  // The signal ends connecting as well: undici's own timer for that is half a second wide.
  const client = new Client(url.origin, { maxHeaderSize: MAX_HEADER_BYTES, connect: { timeout: 0, signal } })
  try {
    signal.throwIfAborted()
    const response = await client.request({
      method: 'GET',
      path: url.pathname + url.search,
      headers: requestHeaders(url, validators),
      signal,
    })
    // The unread rest ends with the connection.
    response.body.on('error', () => {})
    if (response.statusCode === 304 && Object.keys(validators).length > 0)
      return { text: undefined, validators }
    checkStatus(response.statusCode, response.headers)
    checkType(one(response.headers['content-type']))
    const text = await readBody(response.body, response.headers)
    return { text, validators: validatorsOf(response.headers) }
  } catch (error) {
    throw signal.aborted ? signal.reason : asFeedError(error)
  } finally {
    release()
    await client.destroy()
  }
}

function webAddress(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new FeedError('refused', "the feed's address does not start with http:// or https://")
  return url
}

/** One deadline over all, joined with the caller's signal. */
function deadline(milliseconds: number, outer?: AbortSignal): { signal: AbortSignal; release: () => void } {
  const controller = new AbortController()
  const forward = () => controller.abort(outer?.reason)
  const late = () =>
    controller.abort(new FeedError('timeout', `no complete response within ${milliseconds} ms`))
  const timer = setTimeout(late, milliseconds)
  outer?.addEventListener('abort', forward, { once: true })
  if (outer?.aborted) forward()
  const release = () => {
    clearTimeout(timer)
    outer?.removeEventListener('abort', forward)
  }
  return { signal: controller.signal, release }
}

/** RFC 9110 13.1.2 and 13.1.3: a server that ignores the first condition uses the second. */
function requestHeaders(url: URL, { etag, lastModified }: Validators): Record<string, string> {
  const userInfo = decodeURIComponent(`${url.username}:${url.password}`)
  return {
    accept: 'application/json, text/plain;q=0.5',
    'accept-encoding': 'gzip, deflate, br',
    'user-agent': 'public-data-service',
    ...(etag === undefined ? {} : { 'if-none-match': etag }),
    ...(lastModified === undefined ? {} : { 'if-modified-since': lastModified }),
    ...(userInfo === ':' ? {} : { authorization: `Basic ${Buffer.from(userInfo).toString('base64')}` }),
  }
}

function checkStatus(status: number, headers: IncomingHttpHeaders): void {
  if (status === 200) return
  if (status >= 300 && status < 400 && status !== 304)
    throw new FeedError(
      'redirect',
      `redirected to ${shownAddress(one(headers.location) ?? '')}, which is not followed`,
      {
        status,
      },
    )
  const retryAfterMs = status === 429 || status === 503 ? readRetryAfter(headers, Date.now()) : undefined
  throw new FeedError('status', `the feed responded with status ${status}`, { status, retryAfterMs })
}

/** JSON, or plain text that may be JSON; a page of HTML is an error page. Without a type the body decides. */
function checkType(header: string | undefined): void {
  const type = (header ?? '').split(';', 1).join('').trim().toLowerCase()
  const isJson = /^[\w.-]+\/([\w.-]+\+)?json$/.test(type)
  const isText = type.startsWith('text/') && type !== 'text/html'
  if (type !== '' && !isJson && !isText)
    throw new FeedError('type', `the response is ${shown(type)}, neither JSON nor text`)
}

function validatorsOf(headers: IncomingHttpHeaders): Validators {
  const etag = usable(one(headers.etag))
  const lastModified = usable(one(headers['last-modified']))
  return { ...(etag && { etag }), ...(lastModified && { lastModified }) }
}

/** A value that may be sent back in a header. */
const usable = (value: string | undefined): string | undefined =>
  value !== undefined && /^[\x20-\x7e]{1,256}$/.test(value) ? value : undefined

/** The first value of a header that was sent more than once. */
const one = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value[0] : value
