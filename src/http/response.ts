import type { ServerResponse } from 'node:http'
import { pipeline, Readable } from 'node:stream'
import type { ProblemCode } from '../errors.ts'
import { chain, type MaybePromise } from '../values/promises.ts'
import { inTurns, type Turns, timed, writeInParts } from './large-body.ts'
import {
  COMPRESSION_THRESHOLD,
  COMPRESSOR_BYTES,
  type Coding,
  compress,
  compressor,
  type Effort,
  JSON_FORMAT,
  preferredCoding,
} from './negotiation.ts'
import { type ByteRange, requestedRange } from './ranges.ts'
import {
  type Content,
  type ContentStream,
  type EventsBody,
  type FileBody,
  type FileMeasures,
  type OpenBody,
  type Representation,
  type StreamedBody,
  tagOf,
} from './representation.ts'
import type { ParsedRequest } from './request.ts'
import type { Scheduler } from './scheduler.ts'
import type { UnreadResponses } from './unread-responses.ts'

/** A response ready to send, as the last step of the pipeline takes it. */
export interface PreparedResponse {
  readonly status: number
  /** Names in lower case, alternating with values, as `writeHead` takes them; without the default headers. */
  readonly headers: readonly string[]
  /** Absent from a 304. */
  readonly body?: Body
  /** The code of an error. */
  readonly problem?: ProblemCode
  /** The default headers and then `headers`, kept when the response is first sent. */
  complete?: { readonly defaults: readonly string[]; readonly headers: readonly string[] }
}

export type Body = Buffer | CodedStream | OpenBody

/** A streamed body and its content coding. */
interface CodedStream extends Pick<ContentStream, 'chunks' | 'close' | 'heldBytes'> {
  readonly coding: Coding
}

/** The memory of a stream's batches in progress: the one being sent and the next. */
const BATCHES_BYTES = 524_288

/** The memory that a stream takes until it ends. */
const bytesOf = ({ coding, heldBytes = 0 }: Pick<CodedStream, 'coding' | 'heldBytes'>): number =>
  BATCHES_BYTES + COMPRESSOR_BYTES[coding] + heldBytes

/** The headers of a representation that a 304 has as well as its 200 (RFC 9110 15.4.5). */
export function validatorHeaders(representation: Omit<Representation, 'body'>): string[] {
  const { link, links, synthetic, lastModified, isNegotiated } = representation
  const entries = [link, links?.(synthetic)].filter(each => each !== undefined)
  return headerList({
    link: entries.join(', ') || undefined,
    'synthetic-data': synthetic ? 'true' : undefined,
    'cache-control': cacheControl(representation),
    // Never later than the response itself (RFC 9110 8.8.2.1), even if the feed's clock is ahead.
    'last-modified': httpDate(Math.min(lastModified.getTime(), Date.now())),
    vary: isNegotiated ? 'Accept, Accept-Encoding, Prefer' : 'Accept-Encoding, Prefer',
  })
}

/** The headers that describe the bytes of a representation in a coding; a 304 omits them. */
const contentHeaders = (representation: Omit<Representation, 'body'>, coding: Coding): string[] =>
  headerList({
    'content-type': representation.type ?? JSON_FORMAT.mediaType,
    'content-disposition': representation.fileName && `attachment; filename="${representation.fileName}"`,
    'content-encoding': coding === 'identity' ? undefined : coding,
  })

/** Headers as a flat list, without those whose value is undefined. */
export function headerList(headers: Readonly<Record<string, string | undefined>>): string[] {
  const list: string[] = []
  for (const name in headers) {
    const value = headers[name]
    if (value !== undefined) list.push(name, value)
  }
  return list
}

let lastDate = { ms: 0, text: new Date(0).toUTCString() }

/** A time as HTTP writes it (RFC 9110 5.6.7). The last one is cached: many responses share it. */
function httpDate(ms: number): string {
  if (ms !== lastDate.ms) lastDate = { ms, text: new Date(ms).toUTCString() }
  return lastDate.text
}

/** A strong tag identifies exact bytes, and each coding has other bytes (RFC 9110 8.8.3). */
const entityTag = (tag: string, coding: Coding): string =>
  coding === 'identity' ? `"${tag}"` : `"${tag}-${coding}"`

/** The tag of the client's copy, if the copy is current. The copy may be in this coding or uncompressed. */
export const currentTag = (
  tag: string,
  coding: Coding,
  isCurrent: (etag: string) => boolean,
): string | undefined => [entityTag(tag, coding), entityTag(tag, 'identity')].find(isCurrent)

/** The response to a client whose copy is current, made without the body. */
export function notModified(representation: Omit<Representation, 'body'>, etag: string): PreparedResponse {
  const about = representation.linksWithBody ? { ...representation, links: () => undefined } : representation
  return { status: 304, headers: [...validatorHeaders(about), 'etag', etag] }
}

/**
 * The Cache-Control of a response (RFC 9111 5.2.2, RFC 5861): the same lifetime for shared and private caches, which may
 * serve a stale response while the service fails.
 */
function cacheControl(
  response: Pick<Representation, 'maxAge' | 'staleIfError' | 'immutable' | 'isUnkept'>,
): string {
  const { maxAge, staleIfError, immutable, isUnkept } = response
  if (isUnkept) return 'no-store'
  const lifetime = `public, max-age=${maxAge}, s-maxage=${maxAge}, stale-if-error=${staleIfError}`
  return immutable ? `${lifetime}, immutable` : lifetime
}

interface Sending {
  /** All headers, the default ones included. */
  readonly headers: readonly string[]
  /**
   * Called when the body has been handed to the socket: immediately for bytes and for an endless body, at the end for a stream,
   * with the error if the stream failed.
   */
  readonly done: (error?: Error) => void
  readonly unread: Pick<UnreadResponses, 'watch'> | undefined
  readonly scheduler: Pick<Scheduler, 'inLaterTurn'>
  /** Identifies the client. Clients share the time for large bodies. */
  readonly client: () => string
}

/** Sends a response. Watches streams, and bytes that the socket does not take immediately. */
export function send(
  response: ServerResponse,
  { status, body }: Pick<PreparedResponse, 'status' | 'body'>,
  { headers, done, unread, scheduler, client }: Sending,
): void {
  const isOpen = body !== undefined && 'attach' in body
  // An endless body ends with the connection, so it needs no chunked coding and works in HTTP/1.0 too.
  if (isOpen) response.removeHeader('transfer-encoding')
  response.writeHead(status, headers as string[])
  if (body === undefined) response.end()
  else if (Buffer.isBuffer(body)) {
    if (isHead(response)) response.end()
    else if (body.length <= WRITTEN_AT_ONCE) response.end(body)
    else writeInParts(response, body, { scheduler, client: client() })
    if (response.writableLength > 0) unread?.watch(response, client(), body)
  } else if ('attach' in body) {
    body.attach(response)
  } else {
    unread?.watch(response, client(), { bytes: bytesOf(body) })
    stream(response, body, { scheduler, client: client() }, done)
    return
  }
  done()
}

const isHead = ({ req }: ServerResponse): boolean => req.method === 'HEAD'

/** A larger body is sent in parts. */
const WRITTEN_AT_ONCE = 65_536

/** A stream that fails destroys the response, so that the client sees an incomplete body. */
function stream(
  response: ServerResponse,
  body: CodedStream,
  turns: Turns,
  done: (error?: Error) => void,
): void {
  const ended = (error?: Error | null) => {
    body.close?.()
    done(error ?? undefined)
  }
  // The client may have gone while the stream was opened; then nothing else would end the stream.
  if (isHead(response) || response.destroyed) {
    response.end()
    ended()
    return
  }
  const source = Readable.from(inTurns(body.chunks, turns, () => response.destroyed))
  if (body.coding === 'identity') pipeline(source, response, ended)
  else pipeline(source, compressor(body.coding), response, ended)
}

/** The request headers that select the variant of a response. */
interface SelectionHeaders extends Conditions {
  readonly 'accept-encoding'?: string | undefined
}

/** A representation with its body and its encoded variants, each made once. */
export interface StoredResponse {
  /** The uncompressed body. */
  readonly body: Buffer
  /** Selects the response by validators (304) and content coding. `run` runs the compression if needed. */
  select(headers: SelectionHeaders, run: Run): MaybePromise<PreparedResponse>
  /** Returns the variant of a coding, made at the first call. */
  encode(coding: Coding, effort: Effort): MaybePromise<PreparedResponse>
}

/** Runs work, now or later; may throw a problem instead. */
export type Run = <T>(work: () => MaybePromise<T>) => MaybePromise<T>

/** Joins a representation with its content. `effort` applies to compression on request. */
export function storeResponse(
  about: Omit<Representation, 'body'>,
  content: Content,
  effort: Effort = 'fast',
): StoredResponse {
  const { body, encoded, ...known } = content
  const representation = { ...about, ...known }
  const { tag = tagOf(body), lastModified } = representation
  const headers = validatorHeaders(representation)
  const variants = new Map<Coding, MaybePromise<PreparedResponse>>()
  const unmodified = new Map<string, PreparedResponse>()

  const variant = (coding: Coding, bytes: Buffer): PreparedResponse => ({
    status: 200,
    headers: [
      ...headers,
      ...['etag', entityTag(tag, coding), ...contentHeaders(representation, coding)],
      ...['content-length', String(bytes.length)],
    ],
    body: bytes,
  })

  function keep(coding: Coding, made: MaybePromise<PreparedResponse>): MaybePromise<PreparedResponse> {
    variants.set(coding, made)
    // A compression that failed for lack of memory may succeed the next time.
    if (made instanceof Promise)
      made.then(
        response => variants.set(coding, response),
        () => variants.delete(coding),
      )
    return made
  }

  const suitable = (coding: Coding): Coding => (body.length < COMPRESSION_THRESHOLD ? 'identity' : coding)

  function encode(wanted: Coding, effort: Effort): MaybePromise<PreparedResponse> {
    const coding = suitable(wanted)
    const known = variants.get(coding)
    if (known !== undefined) return known
    const bytes = coding === 'identity' ? body : (encoded?.[coding] ?? compress(body, coding, effort))
    return keep(
      coding,
      chain(bytes, each => variant(coding, each)),
    )
  }

  function notModifiedBy(etag: string): PreparedResponse {
    const known = unmodified.get(etag)
    if (known !== undefined) return known
    const made = { status: 304, headers: [...headers, 'etag', etag] }
    unmodified.set(etag, made)
    return made
  }

  return {
    body,
    encode,
    select(request, run) {
      const coding = suitable(preferredCoding(request['accept-encoding']))
      const current = unmodifiedTag({ tag, lastModified }, coding, request)
      if (current !== undefined) return notModifiedBy(current)
      const made = variants.get(coding)
      if (made !== undefined) return made
      return coding === 'identity' ? encode(coding, effort) : run(() => encode(coding, effort))
    },
  }
}

/** How a stream comes under load shedding. */
export interface StreamAdmission {
  /** Runs the opening of the stream. */
  readonly run: Run
  /** Throws a problem if a stream that holds `bytes` does not fit into memory. */
  readonly admit: (bytes: number) => void
  /** Gets the milliseconds that each chunk took. */
  readonly record: ((ms: number) => void) | undefined
}

/** The response with a streamed body: 304 if the client's copy is current, else the stream in the client's preferred coding. */
export function streamResponse(
  representation: Omit<Representation, 'body'>,
  { open }: StreamedBody,
  request: SelectionHeaders,
  { run, admit, record }: StreamAdmission,
): MaybePromise<PreparedResponse> {
  const coding = preferredCoding(request['accept-encoding'])
  const current = unmodifiedTag(representation, coding, request)
  if (current !== undefined) return notModified(representation, current)
  admit(bytesOf({ coding }))
  return chain(run(open), ({ chunks, close, heldBytes, ...known }) => {
    try {
      admit(bytesOf({ coding, heldBytes }))
    } catch (error) {
      close?.()
      throw error
    }
    const content = { ...representation, ...known }
    const headers = [
      ...validatorHeaders(content),
      ...headerList({ etag: content.tag && entityTag(content.tag, coding) }),
      ...contentHeaders(content, coding),
    ]
    const body = { chunks: record === undefined ? chunks : timed(chunks, record), close, coding, heldBytes }
    return { status: 200, headers, body }
  })
}

/**
 * The response with a file, whole or the part that the request asks for; 304 if the client's copy is current. A part, and HEAD with
 * the length, wait until the file is whole. `admit` throws a problem if there is no memory for another download.
 */
export async function fileResponse(
  representation: Omit<Representation, 'body'>,
  file: FileBody,
  { headers, response }: Pick<ParsedRequest, 'headers' | 'response'>,
  admit: StreamAdmission['admit'],
): Promise<PreparedResponse> {
  const etag = `"${file.tag}"`
  if (isNotModified(headers, etag, representation.lastModified)) return notModified(representation, etag)
  admit(bytesOf({ coding: 'identity' }))
  // A range is defined only for GET (RFC 9110 14.2).
  const asked = isHead(response) ? {} : headers
  const needsLength = isHead(response) || headers.range !== undefined
  const made = needsLength ? await file.whole() : file.made()
  const lastModified = representation.lastModified.toUTCString()
  const range = made && requestedRange(asked, { length: made.bytes, etag, lastModified })
  const described = [
    ...[...validatorHeaders(representation), 'etag', etag, ...contentHeaders(representation, 'identity')],
    ...['accept-ranges', 'bytes', ...(made === undefined ? [] : measuresOf(made, range))],
  ]
  const status = range === undefined ? 200 : 206
  if (isHead(response)) return { status, headers: described }
  return { status, headers: described, body: { ...file.read(range), coding: 'identity' } }
}

/** The headers with the measures of a whole file. */
function measuresOf({ bytes, sha256 }: FileMeasures, range: ByteRange | undefined): string[] {
  const { start, end } = range ?? { start: 0, end: bytes }
  return [
    ...['content-length', String(end - start)],
    ...(range === undefined ? [] : ['content-range', `bytes ${start}-${end - 1}/${bytes}`]),
    // A part has the digest of the whole file (RFC 9530 3).
    ...(sha256 === undefined
      ? []
      : ['repr-digest', `sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:`]),
  ]
}

/** The response with events, without a body for HEAD. */
export function eventsResponse(
  { links, synthetic, type }: Omit<Representation, 'body'>,
  { follow }: EventsBody,
  request: ParsedRequest,
): PreparedResponse {
  const headers = headerList({
    link: links?.(synthetic),
    'synthetic-data': synthetic ? 'true' : undefined,
    'content-type': type,
    'cache-control': 'no-store',
    // Without this, nginx buffers responses and delays events.
    'x-accel-buffering': 'no',
    connection: 'close',
  })
  const body = follow(request)
  return body === undefined ? { status: 200, headers } : { status: 200, headers, body }
}

/** The response that sends the client to another address. */
export const moved = (status: 302 | 303, location: string, link?: string): PreparedResponse => ({
  status,
  headers: headerList({ location, link, 'content-length': '0' }),
})

/** A response that no cache keeps; without a type, the body is empty. */
export function unkept(status: number, type: string | undefined, text: string): PreparedResponse {
  const body = Buffer.from(text)
  const headers = headerList({
    'cache-control': 'no-store',
    'content-type': type,
    'content-length': String(body.length),
  })
  return { status, headers, body }
}

/** The tag of the client's copy, if the request is conditional and the copy is current. */
function unmodifiedTag(
  { tag, lastModified }: Pick<Representation, 'tag' | 'lastModified'>,
  coding: Coding,
  request: Conditions,
): string | undefined {
  if (tag === undefined) return undefined
  if (request['if-none-match'] === undefined && request['if-modified-since'] === undefined) return undefined
  return currentTag(tag, coding, etag => isNotModified(request, etag, lastModified))
}

/** The headers that make a request conditional, as Node gives them. */
interface Conditions {
  readonly 'if-none-match'?: string | undefined
  readonly 'if-modified-since'?: string | undefined
}

/**
 * Whether the client's copy is still current, so that the response is 304 (RFC 9110 13.2.2).
 * If-None-Match wins over If-Modified-Since; tags are compared weakly (13.1.2).
 */
export function isNotModified(conditions: Conditions, etag: string, lastModified: Date): boolean {
  const wanted = conditions['if-none-match']
  if (wanted !== undefined) return wanted.trim() === '*' || namesTag(conditions, etag)
  const since = Date.parse(conditions['if-modified-since'] ?? '')
  // HTTP dates have whole seconds (5.6.7). A value that is not a date is ignored (13.1.3).
  return !Number.isNaN(since) && Math.floor(lastModified.getTime() / 1000) * 1000 <= since
}

/** Whether If-None-Match names the tag itself (`*` does not count): only a client with a copy knows it. */
export function namesTag(conditions: Conditions, etag: string): boolean {
  const wanted = conditions['if-none-match']
  return wanted !== undefined && (wanted === etag || entityTags(wanted).includes(opaque(etag)))
}

/** The opaque parts of a list of entity tags (RFC 9110 8.8.3); a tag may contain commas. */
function entityTags(list: string): string[] {
  return [...list.matchAll(/(?:W\/)?"([^"]*)"/g)].map(match => match[1] ?? '')
}

const opaque = (etag: string) => etag.slice(etag.indexOf('"') + 1, -1)
