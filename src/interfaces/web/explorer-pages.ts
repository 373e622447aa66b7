import type { Problem } from '../../errors.ts'
import type { Get } from '../../http/inner-requests.ts'
import type { ProblemPages } from '../../http/pipeline.ts'
import type { ParsedRequest } from '../../http/request/message.ts'
import { formatNegotiator, JSON_FORMAT } from '../../http/request/negotiation.ts'
import { explorerHeaders } from '../../http/response/default-headers.ts'
import { headerList, type PreparedResponse } from '../../http/response/prepared-response.ts'
import { problemBody } from '../../http/response/problem-response.ts'
import { storeResponse } from '../../http/response/stored-response.ts'
import type { Router } from '../../http/routing/router.ts'
import { addFile } from './asset.ts'
import type { ApiError, GetJson, PageRequest, RenderedPage, Renderer, Site } from './explorer.ts'
import { loadRenderer, readBuild, readBuilt } from './explorer-build.ts'
import { keepPages } from './kept-pages.ts'
import { addSitemap } from './site-files/sitemap.ts'
import { addWebManifest } from './site-files/web-manifest.ts'

export interface ExplorerOptions {
  readonly site: Omit<Site, 'baseUrl'>
  /** The public base address; read at each use. */
  readonly baseUrl: () => string
  /** Asks the service's own endpoints. */
  readonly get: Get
  /** Converts any error to the problem that the client gets. */
  readonly toProblem: (error: unknown) => Problem
  readonly startedAt: Date
}

/** Browsers ask for it again before they use it. */
const SERVICE_WORKER = '/service-worker.js'
const HTML = 'text/html; charset=utf-8'
const HOUR_S = 3600
const YEAR_S = 31_536_000

/** Adds the pages and files of the explorer, and gives what makes pages of problems. Throws where nothing has been built. */
export function addExplorer(router: Router, options: ExplorerOptions): ProblemPages {
  const { baseUrl, startedAt } = options
  const { pages, files } = readBuild()
  const { tiles } = options.site
  const headers = explorerHeaders(tiles && new URL(tiles.url).origin)
  for (const path of files) {
    const file = { path, lastModified: startedAt, ...lifetimeOf(path) }
    // A service worker may ask what its own policy allows (CSP 3 7.1).
    addFile(
      router,
      path === SERVICE_WORKER ? { ...file, maxAge: 0, defaultHeaders: headers } : file,
      readBuilt,
    )
  }
  const site = () => ({ ...options.site, baseUrl: baseUrl() })
  let loaded: Promise<Renderer> | undefined
  const renderer = () => (loaded ??= loadRenderer())
  for (const { path, maxAge } of pages) {
    const make = async (request: ParsedRequest) => {
      const { loadPage } = await renderer()
      const render = await loadPage(pageRequest(request, path, site(), options))
      return router.shared.shedder.run(request.client(), render)
    }
    const about = { type: HTML, maxAge, staleIfError: 0, synthetic: site().synthetic }
    const store = (html: string, lastModified: Date) =>
      storeResponse({ ...about, lastModified }, { body: Buffer.from(html) })
    router.add({
      path,
      defaultHeaders: headers,
      handle: keepPages(make, { store, whole: whole(site().synthetic) }),
    })
  }
  addWebManifest(router, site())
  const { synthetic } = site()
  const addresses = async (request: ParsedRequest) =>
    (await renderer()).listAddresses(getterFor(request, options))
  addSitemap(router, { addresses, baseUrl, synthetic })
  const pageOf = async (problem: Problem, url: string, client: string) => {
    const body = JSON.parse(String(problemBody(problem, url, baseUrl())))
    const { renderProblem } = await renderer()
    const rendered = await router.shared.shedder.run(client, () => renderProblem(body, site()))
    const page = whole(site().synthetic)(rendered)
    return {
      ...page,
      status: problem.status,
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

/** Whether a client prefers pages to JSON, as browsers do for what their users open. */
const prefersPages = (accept: string | undefined): boolean => bestForm(accept)?.name === 'html'

/** A file whose name says what it holds never changes. */
const lifetimeOf = (path: string) =>
  path.startsWith('/assets/') ? { maxAge: YEAR_S, immutable: true as const } : { maxAge: HOUR_S }

function pageRequest(
  request: ParsedRequest,
  pattern: string,
  site: Site,
  options: ExplorerOptions,
): PageRequest {
  const { params, queryString, url } = request
  const [path = ''] = url.split('?', 1)
  const get = getterFor(request, options)
  return { pattern, path, params, query: new URLSearchParams(queryString), site, get }
}

/** Gives what asks the service's own endpoints on behalf of a request. */
function getterFor(request: ParsedRequest, { get, toProblem, baseUrl }: ExplorerOptions): GetJson {
  return async path => {
    try {
      return JSON.parse(String((await get(path, request)).body))
    } catch (error) {
      const problem = toProblem(error)
      const body = JSON.parse(String(problemBody(problem, path, baseUrl())))
      const { 'retry-after': retryAfter } = problem.headers
      throw Object.assign(new Error(problem.message), {
        problem: body,
        ...(retryAfter !== undefined && { retryAfterS: Number(retryAfter) }),
      }) satisfies ApiError
    }
  }
}

/** A page that is not kept by anybody. */
const whole =
  (synthetic: boolean) =>
  ({ status, html, retryAfterS }: RenderedPage): PreparedResponse => {
    const body = Buffer.from(html)
    return {
      status,
      headers: [
        ...['content-type', HTML, 'content-length', String(body.length), 'cache-control', 'no-store'],
        ...(synthetic ? ['synthetic-data', 'true'] : []),
        ...(retryAfterS === undefined ? [] : ['retry-after', String(retryAfterS)]),
        ...['vary', 'Accept, Accept-Encoding'],
      ],
      body,
    }
  }
