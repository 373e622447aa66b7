import type { Representation } from '../../http/response/representation.ts'
import { type StoredResponse, storeResponse } from '../../http/response/stored-response.ts'
import type { Route, Router } from '../../http/routing/router.ts'
import { HOUR_S } from '../../values/time-units.ts'
import { readBuilt } from './explorer-build.ts'

/** The media types of files by the end of their names. */
const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json',
  svg: 'image/svg+xml',
  png: 'image/png',
}

/** Browsers ask for it again before they use it. */
const SERVICE_WORKER = '/service-worker.js'
const YEAR_S = 31_536_000

/** Adds the files that the pages load, each read at its first request and sent in the codings in which it was built. */
export function addFiles(
  router: Router,
  paths: readonly string[],
  { lastModified, pageHeaders }: { readonly lastModified: Date; readonly pageHeaders: readonly string[] },
): void {
  for (const path of paths) {
    // A service worker may ask what its own policy allows (CSP 3 7.1).
    const route = path === SERVICE_WORKER ? { path, defaultHeaders: pageHeaders } : { path }
    addFile(router, route, { ...lifetimeOf(path), lastModified })
  }
}

/** A file whose name says what it holds never changes. */
function lifetimeOf(path: string): Pick<Representation, 'maxAge' | 'immutable'> {
  if (path.startsWith('/assets/')) return { maxAge: YEAR_S, immutable: true }
  return { maxAge: path === SERVICE_WORKER ? 0 : HOUR_S }
}

function addFile(
  router: Router,
  route: Pick<Route, 'path' | 'defaultHeaders'>,
  about: Pick<Representation, 'maxAge' | 'lastModified' | 'immutable'>,
): void {
  const { path } = route
  const type = TYPES[path.slice(path.lastIndexOf('.') + 1)] ?? 'application/octet-stream'
  let stored: StoredResponse | undefined
  router.add({
    ...route,
    handle({ headers }) {
      stored ??= storeResponse({ ...about, type, staleIfError: 0, synthetic: false }, readBuilt(path))
      return stored.select(headers, work => work())
    },
  })
}
