import { readFileSync } from 'node:fs'
import type { Config } from '../../config.ts'
import { Problem } from '../../errors.ts'
import { explorerHeaders } from '../../http/default-headers.ts'
import { addDocument, addText } from '../../http/document.ts'
import { formatNegotiator, JSON_FORMAT } from '../../http/negotiation.ts'
import type { Get, ProblemPages } from '../../http/pipeline.ts'
import { problemBody } from '../../http/problems.ts'
import type { Content, Representation } from '../../http/representation.ts'
import { type ParsedRequest, pathOf } from '../../http/request.ts'
import { headerList, moved, type PreparedResponse, storeResponse } from '../../http/response.ts'
import type { Router } from '../../http/router.ts'
import { errorCode } from '../../values/system/error-code.ts'
import { HOUR_S } from '../../values/time-units.ts'
import { ROOT } from '../../version.ts'
import type { ApiError, BuiltExplorer, GetJson, MapTiles, RenderedPage, Renderer, Site } from './explorer.ts'
import { addSitemap, addWebManifest } from './site-files.ts'

/** The raster tiles that the operator has set for the map; undefined without a setting. */
export const mapTiles = ({
  MAP_TILE_URL: url,
  MAP_TILE_ATTRIBUTION: attribution,
}: Pick<Config, 'MAP_TILE_URL' | 'MAP_TILE_ATTRIBUTION'>): MapTiles | undefined =>
  url === undefined ? undefined : { url, attribution }

interface InnerJsonOptions {
  /** The public base address; read at each use. */
  readonly baseUrl: () => string
  /** Requests the service's own endpoints. */
  readonly get: Get
  /** Converts any error to the problem that the client gets. */
  readonly toProblem: (error: unknown) => Problem
  /** Called if a response must not be cached. */
  readonly onUnkept?: () => void
}

/** Creates the function that gets JSON from the service's own endpoints for pages, on behalf of a request. */
function createInnerJson(
  request: ParsedRequest,
  { get, toProblem, baseUrl, onUnkept }: InnerJsonOptions,
): GetJson {
  return async path => {
    try {
      const { headers, body } = await get(path, request)
      if (headers[headers.indexOf('cache-control') + 1] === 'no-store') onUnkept?.()
      return JSON.parse(String(body))
    } catch (error) {
      const problem = toProblem(error)
      const { 'retry-after': retryAfter } = problem.headers
      throw Object.assign(new Error(problem.message), {
        problem: JSON.parse(String(problemBody(problem, path, baseUrl()))),
        retryAfterS: retryAfter === undefined ? undefined : Number(retryAfter),
      }) satisfies ApiError
    }
  }
}

interface ExplorerOptions extends InnerJsonOptions {
  readonly site: Omit<Site, 'baseUrl' | 'isCounting'>
  readonly isCounting: () => boolean
  readonly startedAt: Date
}

/** The options, and the renderer of the pages, which the first page loads. */
interface Explorer extends ExplorerOptions {
  readonly router: Router
  readonly renderer: () => Promise<Renderer>
  readonly headers: readonly string[]
}

const HTML = 'text/html; charset=utf-8'

/** Adds the pages and files of the explorer. Returns the renderer of problems as pages. Throws if nothing has been built. */
export function addExplorer(router: Router, options: ExplorerOptions): ProblemPages {
  const { baseUrl, startedAt, site } = options
  const { pages, files } = readBuild()
  const headers = explorerHeaders(site.tiles && new URL(site.tiles.url).origin)
  let loaded: Promise<Renderer> | undefined
  const renderer = () => (loaded ??= loadRenderer())
  const explorer = { ...options, router, renderer, headers }
  addFiles(router, files, { lastModified: startedAt, pageHeaders: headers })
  for (const { path, maxAge } of pages) addPage(explorer, path, maxAge)
  addTypedAddresses(router)
  addWebManifest(router, site)
  const addresses = async (request: ParsedRequest) =>
    (await renderer()).listAddresses(createInnerJson(request, options))
  addSitemap(router, { addresses, baseUrl, synthetic: site.synthetic })
  return problemPages(explorer)
}

/** The addresses that people type, and the pages that they mean. */
const TYPED = {
  '/toilets': '/map?dataset=toilets',
  '/recycling': '/map?dataset=recycling',
  '/defibrillators': '/emergency',
  '/carparks': '/parking',
}

/** Leads from the addresses that people type to the pages. The header Link names the data, for programs. */
function addTypedAddresses(router: Router): void {
  const { address } = router.shared
  for (const [path, page] of Object.entries(TYPED)) {
    const data = `<${address(`/v1${path}`)}>; rel="alternate"; type="application/json"`
    const response = moved(302, address(page), data)
    router.add({ path, handle: () => response })
  }
}

function addPage(explorer: Explorer, pattern: string, maxAge: number): void {
  const { router, renderer, headers, site } = explorer
  const { synthetic } = site
  const render = async (request: ParsedRequest) => {
    const { loadPage } = await renderer()
    let isKept = true
    const onUnkept = () => {
      isKept = false
    }
    const { params, queryString, url } = request
    const rendering = await loadPage({
      pattern,
      path: pathOf(url),
      params,
      query: new URLSearchParams(queryString),
      site: siteOf(explorer),
      get: createInnerJson(request, { ...explorer, onUnkept }),
    })
    const page = await router.shared.scheduler.run(request.client(), rendering)
    // If there is no page, a program gets the same problem as at any other unknown path.
    if (page.status === 404 && !prefersPages(request.headers.accept))
      throw new Problem('NOT_FOUND', 'There is no page at this address.')
    return page.status === 200 && isKept ? page.html : unkeptPage(page, synthetic)
  }
  addText(router, {
    path: pattern,
    defaultHeaders: headers,
    type: HTML,
    maxAge,
    synthetic,
    render,
    keyOf: ({ url }) => url,
  })
}

const siteOf = ({ site, baseUrl, isCounting }: ExplorerOptions): Site => ({
  ...site,
  baseUrl: baseUrl(),
  isCounting: isCounting(),
})

function problemPages(explorer: Explorer): ProblemPages {
  const { router, renderer, headers, baseUrl, site } = explorer
  const pageOf = async (problem: Problem, url: string, client: string) => {
    const body = JSON.parse(String(problemBody(problem, url, baseUrl())))
    const { renderProblem } = await renderer()
    const rendered = await router.shared.scheduler.run(client, () => renderProblem(body, siteOf(explorer)))
    const page = unkeptPage(rendered, site.synthetic)
    return {
      ...page,
      headers: [...page.headers, ...headerList(problem.headers)],
      problem: problem.code,
    }
  }
  return {
    defaultHeaders: headers,
    pageOf: (problem, { headers, url = '' }, client) =>
      prefersPages(headers.accept) ? pageOf(problem, url, client()) : undefined,
  }
}

const bestForm = formatNegotiator([JSON_FORMAT, { name: 'html', mediaType: HTML }])

/** Whether a client prefers pages to JSON, as browsers do when a user opens an address. */
const prefersPages = (accept: string | undefined): boolean => bestForm(accept)?.name === 'html'

/** The response for a page that must not be cached. */
function unkeptPage(
  { status, html, retryAfterS, location }: RenderedPage,
  synthetic: boolean,
): PreparedResponse {
  const body = Buffer.from(html)
  return {
    status,
    headers: headerList({
      'content-type': HTML,
      'content-length': String(body.length),
      'cache-control': 'no-store',
      'synthetic-data': synthetic ? 'true' : undefined,
      location,
      'retry-after': retryAfterS?.toString(),
      vary: 'Accept, Accept-Encoding',
    }),
    body,
  }
}

/** `npm run build` writes the pages of `web/` here. */
const FOLDER = new URL('dist/web/', ROOT)

/** Reads which pages and files there are. Throws if nothing has been built. */
export function readBuild(): BuiltExplorer {
  const text = readIfAny('explorer.json')?.toString()
  if (text === undefined) throw new Error('The pages have not been built: run "npm run build".')
  const built: BuiltExplorer = JSON.parse(text)
  return built
}

/** Reads a file of the build by its path, in all codings that the build has written. */
function readBuilt(path: string): Content {
  const name = path.slice(1)
  return {
    body: readFileSync(new URL(name, FOLDER)),
    encoded: { br: readIfAny(`${name}.br`), gzip: readIfAny(`${name}.gz`) },
  }
}

/** Loads the renderer of the pages. This takes longer than the service may take to start, and only pages need it. */
const loadRenderer = (): Promise<Renderer> => import(new URL('server.js', FOLDER).href)

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

/** Browsers ask for this file again before they use it. */
const SERVICE_WORKER = '/service-worker.js'
const YEAR_S = 31_536_000

/** Adds the files that the pages load. Each file is read at its first request, kept, and sent in the codings of the build. */
function addFiles(
  router: Router,
  paths: readonly string[],
  { lastModified, pageHeaders }: { readonly lastModified: Date; readonly pageHeaders: readonly string[] },
): void {
  for (const path of paths) {
    const type = TYPES[path.slice(path.lastIndexOf('.') + 1)] ?? 'application/octet-stream'
    const about = { type, lastModified, staleIfError: 0, synthetic: false, ...lifetimeOf(path) }
    addDocument(router, {
      path,
      // A service worker may request only what its own policy allows (CSP 3 7.1).
      defaultHeaders: path === SERVICE_WORKER ? pageHeaders : undefined,
      cacheVersion: () => lastModified,
      make: () => storeResponse(about, readBuilt(path)),
    })
  }
}

/** A file that is named by its content never changes. */
function lifetimeOf(path: string): Pick<Representation, 'maxAge' | 'immutable'> {
  if (path.startsWith('/assets/')) return { maxAge: YEAR_S, immutable: true }
  return { maxAge: path === SERVICE_WORKER ? 0 : HOUR_S }
}
