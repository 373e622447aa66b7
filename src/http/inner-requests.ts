import type { HandleRequest } from './protection/rate-limit.ts'
import { type ParsedRequest, pathOf, queryStringOf } from './request/message.ts'
import type { RouteTable } from './routing/router.ts'

/** The response of the service to itself. */
export interface InnerResponse {
  /** Names in lower case, alternating with values. */
  readonly headers: readonly string[]
  readonly body: Buffer
}

/** Requests a path on behalf of another request's client, whose limits apply. Throws problems. */
export type Get = (url: string, outer: Pick<ParsedRequest, 'client' | 'response'>) => Promise<InnerResponse>

/**
 * Creates a function that requests the service's own endpoints for an interface, with the same limits and caches as any
 * request.
 */
export function createInnerRequests(routes: Pick<RouteTable, 'match'>, handle: HandleRequest): Get {
  return async (url, { client, response }) => {
    const { route, params } = routes.match(pathOf(url))
    const responseHeaders: string[] = []
    const request = {
      url,
      queryString: queryStringOf(url),
      headers: {},
      params,
      responseHeaders,
      client,
      response,
    }
    const { headers, body } = await handle(route, request)
    if (!Buffer.isBuffer(body)) throw new TypeError(`${url} is a stream`)
    return { headers, body }
  }
}
