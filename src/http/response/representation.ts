import { hash } from 'node:crypto'
import type { MaybePromise } from '../../values/promises.ts'
import { VERSION } from '../../version.ts'
import type { Coding } from './content-coding.ts'

/** The response of an endpoint, before the rules of HTTP are applied to it. */
export interface Representation {
  /**
   * The strong validator without quotes: a different body at the same URL always has a different tag. If given, a request
   * with a current tag needs no body; if not, the tag is a hash of the body.
   */
  readonly tag?: string
  readonly lastModified: Date
  /** Seconds for which the response may be cached. */
  readonly maxAge: number
  /** True if the body at this URL never changes (RFC 8246). */
  readonly immutable?: true
  /** True if nobody may keep it. */
  readonly isUnkept?: boolean
  /** Seconds for which a cached response may be used while the service fails. */
  readonly staleIfError: number
  /** True if it contains data of the synthetic island. */
  readonly synthetic: boolean
  /** Entries of the header Link that only this response has. */
  readonly link?: string | undefined
  /** The dataset whose entries of the header Link it has, where that is not the tag of its endpoint. */
  readonly linksOf?: string
  /** Those entries, by whether the data is synthetic. */
  readonly links?: (synthetic: boolean) => string | undefined
  /** True where the body brings further links: without it a 304 has none, since caches replace those that they keep. */
  readonly linksWithBody?: boolean
  /** The media type; JSON by default. */
  readonly type?: string
  /** The name under which browsers should save it, rather than show it. */
  readonly fileName?: string
  /** True where the Accept header selected the media type. */
  readonly isNegotiated?: boolean
  /** Where the response is instead: the client is sent there (303, RFC 9110 15.4.4). */
  readonly location?: string | undefined
  /** The bytes, a stream, or a function that makes the bytes; it runs under load shedding. */
  readonly body: Buffer | StreamedBody | (() => MaybePromise<Content>)
}

/** A body that is too large for memory; it is never cached. */
export interface StreamedBody {
  /** Opens the stream. */
  readonly open: () => MaybePromise<ContentStream>
  /** True where another thread makes what is opened and bounds that work itself: it is not under load shedding. */
  readonly isApart?: boolean
}

/** A streamed body, and the properties known only with it, which override those of the representation. */
export interface ContentStream extends Partial<Omit<Representation, 'body'>> {
  /** Read with back-pressure. An error resets the connection, so that no client takes the body as complete. */
  readonly chunks: AsyncIterable<Uint8Array>
  /** The bytes that it holds until its last one, beside the batches on their way. */
  readonly heldBytes?: number | undefined
  /** Releases what the chunks are read from; called once, whether they were read or not. */
  readonly close?: (() => void) | undefined
}

/** A body, and the properties known only with it, which override those of the representation. */
export interface Content extends Partial<Omit<Representation, 'body'>> {
  readonly body: Buffer
  /** The body in codings in which it is at hand already. */
  readonly encoded?: Readonly<Partial<Record<Coding, Buffer | undefined>>>
}

/** A tag of everything that the body depends on; the service's version represents its code. */
export function tagOf(...parts: readonly (string | Buffer)[]): string {
  const hashed = parts.map(part => (typeof part === 'string' ? part : hash('sha256', part)))
  return hash('sha256', [VERSION, ...hashed].join('\n'), 'base64url').slice(0, 22)
}
