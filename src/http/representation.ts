import { hash } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import fastJsonStringify from 'fast-json-stringify'
import type { TSchema } from 'typebox'
import type { MaybePromise } from '../values/promises.ts'
import { VERSION } from '../version.ts'
import type { Coding } from './negotiation.ts'
import type { ByteRange } from './ranges.ts'
import type { ParsedRequest } from './request.ts'

/** The response of an endpoint, before the rules of HTTP are applied to it. */
export interface Representation {
  /**
   * The strong validator without quotes: a different body at the same URL always has a different tag. If given, a request
   * with a current tag needs no body; if not, the tag is a hash of the body.
   */
  readonly tag?: string
  readonly lastModified: Date
  /** How long the response may be cached, in seconds. */
  readonly maxAge: number
  /** True if the body at this URL never changes (RFC 8246). */
  readonly immutable?: true
  /** True if no cache may keep the response. */
  readonly isUnkept?: boolean
  /** How long a cached response may be used while the service fails, in seconds. */
  readonly staleIfError: number
  /** True if the body contains data of the synthetic island. */
  readonly synthetic: boolean
  /** Entries of the header Link that only this response has. */
  readonly link?: string | undefined
  /** The dataset whose entries the header Link has, if it is not the tag of the endpoint. */
  readonly linksOf?: string
  /** Entries of the header Link for the dataset, by whether the data is synthetic. */
  readonly links?: (synthetic: boolean) => string | undefined
  /** True if the body adds links. A 304 then omits the dataset's links too: caches would replace all stored links with them. */
  readonly linksWithBody?: boolean
  /** The media type; JSON by default. */
  readonly type?: string
  /** The file name for browsers, which then save the response instead of showing it. */
  readonly fileName?: string
  /** True if the Accept header selected the media type. */
  readonly isNegotiated?: boolean
  /** The address of the response, if it is elsewhere: the client is sent there (303, RFC 9110 15.4.4). */
  readonly location?: string | undefined
  /** The bytes, a function that makes them under load shedding, a stream, a file, or events. */
  readonly body: Buffer | (() => MaybePromise<Content>) | StreamedBody | FileBody | EventsBody
}

/** A body that is too large for memory; it is never cached. */
export interface StreamedBody {
  /** Opens the stream. */
  readonly open: () => MaybePromise<ContentStream>
  /** True if another thread makes the stream and limits that work itself, so that load shedding does not apply. */
  readonly isApart?: boolean
}

/** The measures of a whole file. */
export interface FileMeasures {
  readonly bytes: number
  /** SHA-256 of its bytes, hexadecimal, if it is known. */
  readonly sha256?: string
}

/**
 * A file on disk, which is sent whole or in the part that the request asks for (RFC 9110 14). One that does not exist yet is made
 * when it is read, and sent while it is written.
 */
export interface FileBody {
  /** Identifies the bytes, also before the file is made. */
  readonly tag: string
  /** Undefined until the file is whole. */
  made(): FileMeasures | undefined
  /** Waits until the file is whole. Throws problems. */
  whole(): Promise<FileMeasures>
  /** Reads the bytes from `start` up to and without `end`, by default all of them. Throws problems. */
  read(range?: ByteRange): ContentStream
}

/** Events that are sent as they happen (HTML living standard 9.2). The response is never kept and has no validators. */
export interface EventsBody {
  /** Takes a client in. Undefined for HEAD. Throws problems. */
  readonly follow: (request: ParsedRequest) => OpenBody | undefined
}

/** An endless body: events are written as they happen, until the connection closes. */
export interface OpenBody {
  /** Takes over the response after its head has been written. */
  attach(response: ServerResponse): void
}

/** A streamed body, and the properties known only with it, which override those of the representation. */
export interface ContentStream extends Partial<Omit<Representation, 'body'>> {
  /** Read with back-pressure. An error resets the connection, so that no client takes the body as complete. */
  readonly chunks: AsyncIterable<Uint8Array>
  /** The bytes that the stream holds until its end, without the batches in progress. */
  readonly heldBytes?: number | undefined
  /** Releases the source of the chunks; called once, whether they were read or not. */
  readonly close?: (() => void) | undefined
}

/** A body, and the properties known only with it, which override those of the representation. */
export interface Content extends Partial<Omit<Representation, 'body'>> {
  readonly body: Buffer
  /** The body in the codings that exist already. */
  readonly encoded?: Readonly<Partial<Record<Coding, Buffer | undefined>>>
}

/** A tag of everything that the body depends on; the service's version stands for its code. */
export function tagOf(...parts: readonly (string | Buffer)[]): string {
  const hashed = parts.map(part => (typeof part === 'string' ? part : hash('sha256', part)))
  return hash('sha256', [VERSION, ...hashed].join('\n'), 'base64url').slice(0, 22)
}

/** Returns a function that writes values as JSON: the fields of the schema, in its order, and no others. It compiles at its first use. */
export function serialiser(schema: TSchema): (value: unknown) => Buffer {
  let stringify: ((value: unknown) => string) | undefined
  return value => {
    // `$id` is for OpenAPI's component names; the compiler would register it.
    stringify ??= fastJsonStringify(withoutIds(schema) as fastJsonStringify.AnySchema)
    return Buffer.from(stringify(value))
  }
}

function withoutIds(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutIds)
  if (typeof schema !== 'object' || schema === null) return schema
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key]) => key !== '$id')
      .map(([key, value]) => [key, withoutIds(value)]),
  )
}
