import { LRUCache } from 'lru-cache'
import type { ParsedRequest } from '../../http/request/message.ts'
import type { PreparedResponse } from '../../http/response/prepared-response.ts'
import type { Representation } from '../../http/response/representation.ts'
import { type StoredResponse, storeResponse } from '../../http/response/stored-response.ts'
import type { Route, Router } from '../../http/routing/router.ts'
import { chain, type MaybePromise } from '../../values/promises.ts'

/** What is known of a text before it is rendered. */
type TextType = Required<Pick<Representation, 'type' | 'maxAge' | 'synthetic'>>

interface Rendering {
  /** Renders the text; a response is sent as it is and not kept. */
  readonly render: (request: ParsedRequest) => MaybePromise<string | PreparedResponse>
  /** Names the text that a request gets. */
  readonly keyOf: (request: ParsedRequest) => string
}

/** Enough for the addresses that are asked for within seconds of each other. */
const KEPT_BYTES = 2 * 2 ** 20

/** A text is also held as a body, and compressed; the headers and objects of an entry take about 4 KB. */
const COPIES = 3
const OVERHEAD_BYTES = 4096

interface Kept {
  /** The second in which it was rendered last. */
  readonly second: number
  readonly text: string
  readonly response: StoredResponse
}

/**
 * Creates a handler of texts that are rendered when they are requested: each once a second at most, compressed again only when it
 * changes, and dated then. HTTP dates have whole seconds (RFC 9110 5.6.7): so two texts never have the same date.
 */
export function keepRendered(type: TextType, { render, keyOf }: Rendering): Route['handle'] {
  const kept = new LRUCache<string, Kept>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ text }, key) => key.length + COPIES * text.length + OVERHEAD_BYTES,
  })
  const store = (text: string, second: number) =>
    storeResponse(
      { ...type, staleIfError: 0, lastModified: new Date(second * 1000) },
      { body: Buffer.from(text) },
    )
  return request => {
    const key = keyOf(request)
    const second = Math.floor(Date.now() / 1000)
    const last = kept.get(key)
    const select = ({ response }: Kept) => response.select(request.headers, work => work())
    if (last?.second === second) return select(last)
    return chain(render(request), text => {
      if (typeof text !== 'string') return text
      const response = last?.text === text ? last.response : store(text, second)
      const rendered = { second, text, response }
      kept.set(key, rendered)
      return select(rendered)
    })
  }
}

/** Adds a text that is the same for all queries; it is rendered under load shedding. */
export function addText(
  router: Router,
  { path, content, ...type }: TextType & { readonly path: string; readonly content: () => string },
): void {
  const render = (request: ParsedRequest) => router.shared.shedder.run(request.client(), content)
  router.add({ path, handle: keepRendered(type, { render, keyOf: () => path }) })
}
