import { readFileSync } from 'node:fs'
import type { Representation } from '../../http/response/representation.ts'
import { storeResponse } from '../../http/response/stored-response.ts'
import { addDocument } from '../../http/routing/document.ts'
import type { Router } from '../../http/routing/router.ts'
import { errorCode } from '../../values/system/error-code.ts'
import { HOUR_S } from '../../values/time-units.ts'
import { ROOT } from '../../version.ts'
import type { BuiltExplorer, Renderer } from './explorer.ts'

/** `npm run build` writes the pages of `web/` here. */
const FOLDER = new URL('dist/web/', ROOT)

/** A file of the build, in the codings in which the build has written it. */
interface BuiltFile {
  readonly body: Buffer
  readonly encoded: { readonly br?: Buffer; readonly gzip?: Buffer }
}

/** Reads what there is to serve. Throws where nothing has been built. */
export function readBuild(): BuiltExplorer {
  const text = readIfAny('explorer.json')?.toString()
  if (text === undefined) throw new Error('The pages have not been built: run "npm run build".')
  const built: BuiltExplorer = JSON.parse(text)
  return built
}

/** Reads a file of the build by its path. */
function readBuilt(path: string): BuiltFile {
  const name = path.slice(1)
  const br = readIfAny(`${name}.br`)
  const gzip = readIfAny(`${name}.gz`)
  return { body: readFileSync(new URL(name, FOLDER)), encoded: { ...(br && { br }), ...(gzip && { gzip }) } }
}

/** Loads what renders the pages; it takes longer than the start of the service may, and none is needed before the first page. */
export const loadRenderer = (): Promise<Renderer> => import(new URL('server.js', FOLDER).href)

function readIfAny(name: string): Buffer | undefined {
  try {
    return readFileSync(new URL(name, FOLDER))
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

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

/** Adds the files that the pages load, each read when it is requested, kept, and sent in the codings in which it was built. */
export function addFiles(
  router: Router,
  paths: readonly string[],
  { lastModified, pageHeaders }: { readonly lastModified: Date; readonly pageHeaders: readonly string[] },
): void {
  for (const path of paths) {
    const type = TYPES[path.slice(path.lastIndexOf('.') + 1)] ?? 'application/octet-stream'
    const about = { type, lastModified, staleIfError: 0, synthetic: false, ...lifetimeOf(path) }
    addDocument(router, {
      path,
      // A service worker may ask what its own policy allows (CSP 3 7.1).
      defaultHeaders: path === SERVICE_WORKER ? pageHeaders : undefined,
      cacheVersion: () => lastModified,
      make: () => storeResponse(about, readBuilt(path)),
    })
  }
}

/** A file whose name says what it holds never changes. */
function lifetimeOf(path: string): Pick<Representation, 'maxAge' | 'immutable'> {
  if (path.startsWith('/assets/')) return { maxAge: YEAR_S, immutable: true }
  return { maxAge: path === SERVICE_WORKER ? 0 : HOUR_S }
}
