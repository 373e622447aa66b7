import type { IncomingHttpHeaders, ServerResponse } from 'node:http'

/** A request whose route is known. */
export interface ParsedRequest {
  /** The target as sent. */
  readonly url: string
  readonly queryString: string
  readonly headers: IncomingHttpHeaders
  /** The variable parts of the path by name, decoded. */
  readonly params: Readonly<Record<string, string>>
  /** Headers of the response, whatever comes of the request: names in lower case and values in turn. */
  readonly responseHeaders: string[]
  /** The response that is being made; only what is attached to it may write to it. */
  readonly response: ServerResponse
}
