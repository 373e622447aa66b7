import type { ServerResponse } from 'node:http'
import type { ProblemCode } from '../../errors.ts'
import { JSON_TYPE } from '../request/accept.ts'
import { cacheControl } from './cache-control.ts'
import type { Coding } from './content-coding.ts'
import type { Representation, StreamedBody } from './representation.ts'

/** A response ready to send, as the last step of the pipeline takes it. */
export interface PreparedResponse {
  readonly status: number
  /** Names in lower case, alternating with values, as `writeHead` takes them; without the default headers. */
  readonly headers: readonly string[]
  /** Absent from a 304. */
  readonly body?: Body
  /** The code of an error. */
  readonly problem?: ProblemCode
}

export type Body = Buffer | CodedStream | OpenBody

/** A streamed body and the coding in which it is sent. */
export interface CodedStream extends StreamedBody {
  readonly coding: Coding
}

/** An endless body: events are written as they happen, until the connection closes. */
export interface OpenBody {
  /** Takes over the response after its head has been written. */
  attach(response: ServerResponse): void
}

const JSON_IN_UTF_8 = `${JSON_TYPE}; charset=utf-8`

/** The media type of a representation, with its parameters. */
export const mediaTypeOf = ({ type = JSON_IN_UTF_8 }: { readonly type?: string }): string => type

/** The headers of a representation that a 304 has as well as its 200 (RFC 9110 15.4.5). */
export function validatorHeaders(representation: Omit<Representation, 'body'>): string[] {
  const headers = headerList(representation.headers ?? {})
  if (representation.synthetic) headers.push('synthetic-data', 'true')
  headers.push('cache-control', cacheControl(representation))
  // Never later than the response itself (RFC 9110 8.8.2.1), though the feed's clock may be ahead.
  headers.push('last-modified', httpDate(Math.min(representation.lastModified.getTime(), Date.now())))
  headers.push('vary', 'Accept-Encoding')
  return headers
}

/** Headers as a flat list. */
export function headerList(headers: Readonly<Record<string, string>>): string[] {
  const list: string[] = []
  for (const name in headers) list.push(name, headers[name] ?? '')
  return list
}

let lastDate = { ms: 0, text: new Date(0).toUTCString() }

/** A time as HTTP writes it (RFC 9110 5.6.7). The last one is cached: many responses share a release's. */
function httpDate(ms: number): string {
  if (ms !== lastDate.ms) lastDate = { ms, text: new Date(ms).toUTCString() }
  return lastDate.text
}

/** A strong tag names the bytes, and each coding has other bytes (RFC 9110 8.8.3). */
export const entityTag = (tag: string, coding: Coding): string =>
  coding === 'identity' ? `"${tag}"` : `"${tag}-${coding}"`

/** The response to a client whose copy is current. */
export const notModified = (
  representation: Omit<Representation, 'body'>,
  etag: string,
): PreparedResponse => ({
  status: 304,
  headers: [...validatorHeaders(representation), 'etag', etag],
})
