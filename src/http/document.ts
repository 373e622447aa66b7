import { chain, type MaybePromise } from '../values/promises.ts'
import type { Representation } from './representation.ts'
import type { ParsedRequest } from './request.ts'
import { type PreparedResponse, type Run, type StoredResponse, storeResponse } from './response.ts'
import type { Route, Router } from './router.ts'

/** A page, a text or a file: it takes any query and any Accept header, and OpenAPI does not describe it. */
interface Document extends Pick<Route, 'path' | 'defaultHeaders'> {
  /** Returns the key of the response in the cache; the path if absent. */
  readonly keyOf?: ((request: ParsedRequest) => string) | undefined
  /** A response is reused while this returns the same value (`===`). */
  readonly cacheVersion: () => unknown
  /** Makes a response; `last` is the previous one. A prepared response is sent as it is, to this request alone. */
  readonly make: (
    request: ParsedRequest,
    last: StoredResponse | undefined,
  ) => MaybePromise<StoredResponse | PreparedResponse>
}

/** Adds a document, whose responses are cached with those of cheap endpoints. */
export function addDocument(router: Router, document: Document): void {
  const { path, defaultHeaders, keyOf, cacheVersion, make } = document
  const { cache } = router.shared
  router.add({
    path,
    defaultHeaders,
    handle(request) {
      const key = keyOf === undefined ? path : keyOf(request)
      const cached = cache.find(key)
      if (cached !== undefined) return cached.select(request.headers, atOnce)
      const version = { read: cacheVersion, value: cacheVersion() }
      const create = () => make(request, cache.last(key))
      return chain(cache.getOrCreate(key, version, create), made =>
        'select' in made ? made.select(request.headers, atOnce) : made,
      )
    },
  })
}

const atOnce: Run = work => work()

/** A text that is rendered when it is requested. */
interface Text
  extends Pick<Document, 'path' | 'defaultHeaders' | 'keyOf'>,
    Required<Pick<Representation, 'type' | 'maxAge' | 'synthetic'>> {
  readonly render: (request: ParsedRequest) => MaybePromise<string | PreparedResponse>
}

const currentSecond = () => Math.floor(Date.now() / 1000)

/**
 * Adds a text. It is rendered at most once a second, however many ask for it at the same time. A changed text is compressed
 * again and gets a new date. HTTP dates have whole seconds (RFC 9110 5.6.7), so two texts never have the same date.
 */
export function addText(router: Router, { render, type, maxAge, synthetic, ...document }: Text): void {
  addDocument(router, {
    ...document,
    cacheVersion: currentSecond,
    make(request, last) {
      const lastModified = new Date(currentSecond() * 1000)
      return chain(render(request), text => {
        if (typeof text !== 'string') return text
        const body = Buffer.from(text)
        if (last?.body.equals(body)) return last
        return storeResponse({ type, maxAge, synthetic, staleIfError: 0, lastModified }, { body })
      })
    },
  })
}
