import type { IncomingHttpHeaders, ServerResponse } from 'node:http'

/** A request whose route is known. */
export interface ParsedRequest {
  /** The target as sent. */
  readonly url: string
  readonly queryString: string
  readonly headers: IncomingHttpHeaders
  /** The variable parts of the path by name, decoded. */
  readonly params: Readonly<Record<string, string>>
  /** Headers of the response, whether the request succeeds or fails: names in lower case, alternating with values. */
  readonly responseHeaders: string[]
  /** The response; only a body that is attached to it may write to it. */
  readonly response: ServerResponse
}
