import { chain, type MaybePromise } from '../../values/promises.ts'
import { type Conditions, isNotModified } from './conditional.ts'
import {
  COMPRESSION_THRESHOLD,
  type Coding,
  compress,
  type Effort,
  preferredCoding,
} from './content-coding.ts'
import { timed } from './large-body.ts'
import {
  bytesOf,
  contentHeaders,
  currentTag,
  entityTag,
  headerList,
  notModified,
  type PreparedResponse,
  validatorHeaders,
} from './prepared-response.ts'
import { type Content, type Representation, type StreamedBody, tagOf } from './representation.ts'

/** The request headers that select the variant of a response. */
export interface SelectionHeaders extends Conditions {
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
  readonly record?: (ms: number) => void
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
