import { LRUCache } from 'lru-cache'
import type { ParsedRequest } from '../../http/request/message.ts'
import type { PreparedResponse } from '../../http/response/prepared-response.ts'
import type { StoredResponse } from '../../http/response/stored-response.ts'
import type { RenderedPage } from './explorer.ts'

/** Enough for the addresses that are asked for within seconds of each other. */
const KEPT_BYTES = 2 ** 20

interface Kept {
  /** The second in which it was rendered last. */
  readonly second: number
  readonly html: string
  readonly response: StoredResponse
}

/**
 * Creates a handler of pages: each address is rendered once a second at most, and dated when its text changed. HTTP dates have
 * whole seconds (RFC 9110 5.6.7): so two texts never have the same date. A page with another status than 200 is not kept.
 */
export function keepPages(
  make: (request: ParsedRequest) => Promise<RenderedPage>,
  {
    store,
    whole,
  }: {
    readonly store: (html: string, lastModified: Date) => StoredResponse
    readonly whole: (page: RenderedPage) => PreparedResponse
  },
): (request: ParsedRequest) => Promise<PreparedResponse> {
  const kept = new LRUCache<string, Kept>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ html }) => html.length,
  })
  return async request => {
    const { url, headers } = request
    const second = Math.floor(Date.now() / 1000)
    const last = kept.get(url)
    if (last?.second === second) return last.response.select(headers, work => work())
    const page = await make(request)
    if (page.status !== 200) return whole(page)
    const { html } = page
    const response = last?.html === html ? last.response : store(html, new Date(second * 1000))
    kept.set(url, { second, html, response })
    return response.select(headers, work => work())
  }
}
