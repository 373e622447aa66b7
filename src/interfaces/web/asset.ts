import { preferredCoding } from '../../http/response/content-coding.ts'
import type { Content, Representation } from '../../http/response/representation.ts'
import { type StoredResponse, storeResponse } from '../../http/response/stored-response.ts'
import type { Router } from '../../http/routing/router.ts'
import { chain } from '../../values/promises.ts'

/** A page or file for browsers. */
interface Served {
  readonly path: string
  readonly type: string
  /** Seconds for which it may be cached. */
  readonly maxAge: number
  readonly synthetic: boolean
  /** The headers of every response, instead of the default ones. */
  readonly defaultHeaders?: readonly string[]
}

/** A file, whose content changes with its version alone. */
export interface FileAsset extends Served {
  /** Called when the content has changed. */
  readonly lastModified: () => Date
  readonly content: () => Buffer
  /** Without it the content never changes. */
  readonly version?: () => string
}

/** The media types of files by the end of their names. */
const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json',
  svg: 'image/svg+xml',
  png: 'image/png',
  webmanifest: 'application/manifest+json',
}

/** Adds a file of the build, which is read at its first request and sent in the codings in which it was built. */
export function addFile(
  router: Router,
  file: Pick<Representation, 'maxAge' | 'lastModified' | 'immutable'> &
    Pick<Served, 'path' | 'defaultHeaders'>,
  read: (path: string) => Content,
): void {
  const { path, defaultHeaders, ...about } = file
  const type = TYPES[path.slice(path.lastIndexOf('.') + 1)] ?? 'application/octet-stream'
  let stored: StoredResponse | undefined
  router.add({
    ...{ path, ...(defaultHeaders && { defaultHeaders }) },
    handle({ headers }) {
      stored ??= storeResponse({ ...about, type, staleIfError: 0, synthetic: false }, read(path))
      return stored.select(headers, work => work())
    },
  })
}

/** Adds a file: each version is read at its first request and compressed once, with the highest effort. */
export function addAsset(router: Router, asset: FileAsset): void {
  let stored: { readonly version: string | undefined; readonly response: StoredResponse } | undefined
  router.add({
    ...routeOf(asset),
    handle({ headers }) {
      const version = asset.version?.()
      if (stored === undefined || stored.version !== version)
        stored = { version, response: store(asset, asset.lastModified(), asset.content()) }
      const { response } = stored
      const encoded = response.encode(preferredCoding(headers['accept-encoding']), 'thorough')
      return chain(encoded, () => response.select(headers, work => work()))
    },
  })
}

/**
 * Adds a page that is rendered when it is requested; it is compressed again only when its text changes, and dated then. HTTP
 * dates have whole seconds (RFC 9110 5.6.7), so it is rendered once in each: two texts never have the same date.
 */
export function addPage(router: Router, page: Served & { readonly content: () => string }): void {
  let last: { readonly text: string; readonly response: StoredResponse } | undefined
  let renderedIn: number | undefined
  router.add({
    ...routeOf(page),
    handle({ headers, client }) {
      return router.shared.shedder.run(client(), () => {
        const second = Math.floor(Date.now() / 1000)
        if (last === undefined || renderedIn !== second) {
          const text = page.content()
          if (last?.text !== text)
            last = { text, response: store(page, new Date(second * 1000), Buffer.from(text)) }
          renderedIn = second
        }
        return last.response.select(headers, work => work())
      })
    },
  })
}

/** Adds a redirect. */
export function addRedirect(
  router: Router,
  { path, to }: { readonly path: string; readonly to: string },
): void {
  const response = { status: 302, headers: ['location', to, 'content-length', '0'] }
  router.add({ path, handle: () => response })
}

const routeOf = ({ path, defaultHeaders }: Served) => ({
  path,
  ...(defaultHeaders === undefined ? {} : { defaultHeaders }),
})

const store = ({ type, maxAge, synthetic }: Served, lastModified: Date, body: Buffer): StoredResponse =>
  storeResponse({ type, maxAge, synthetic, staleIfError: 0, lastModified }, { body })
