import type { IncomingHttpHeaders } from 'node:http'
import { FetchError } from '../../../sources/fetch/fetch-error.ts'
import { mediaTypeOf, openAddress, type Validators } from '../../../sources/fetch/open-address.ts'
import { shown } from '../mapping/entry.ts'
import { MAX_BODY_BYTES, readBody } from './response-body.ts'

export interface FetchFeedOptions {
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

/** The operator's own network may have the feed, and its simulation is on this machine. */
const RULES = {
  accept: 'application/json, text/plain;q=0.5',
  acceptEncoding: 'gzip, deflate, br',
  maxBytes: MAX_BODY_BYTES,
  allowPrivate: true,
}

/**
 * Fetches the feed once: http or https, no redirect followed, bounded in time, headers and body. Throws
 * {@link FetchError}, or the signal's reason.
 */
export async function fetchFeed(address: string, options: FetchFeedOptions = {}): Promise<FeedResponse> {
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
