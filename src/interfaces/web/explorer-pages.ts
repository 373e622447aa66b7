import { readFileSync } from 'node:fs'
import { islandFile } from '../../config.ts'
import { ConfigFileError } from '../../config-file.ts'
import { Problem } from '../../errors.ts'
import { EMBED_HEADERS, explorerHeaders } from '../../http/default-headers.ts'
import { addDocument, addText } from '../../http/document.ts'
import { formatNegotiator, JSON_FORMAT } from '../../http/negotiation.ts'
import type { Get, ProblemPages } from '../../http/pipeline.ts'
import { problemBody } from '../../http/problems.ts'
import type { Content, Representation } from '../../http/representation.ts'
import { type ParsedRequest, pathOf } from '../../http/request.ts'
import { headerList, moved, type PreparedResponse, storeResponse } from '../../http/response.ts'
import type { Router } from '../../http/router.ts'
import { ISLAND } from '../../island/island.ts'
import { isEmbed } from '../../values/addresses/address-of.ts'
import { errorCode } from '../../values/system/error-code.ts'
import { HOUR_S } from '../../values/time-units.ts'
import { ROOT } from '../../version.ts'
import type {
  ApiError,
  BuiltExplorer,
  GetJson,
  IslandFacts,
  Language,
  RenderedPage,
  Renderer,
  Ring,
  Site,
} from './explorer.ts'
import { addSitemap, addWebManifest } from './site-files.ts'

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
  readonly site: Omit<Site, 'baseUrl' | 'isCounting' | 'island' | 'languages'>
  readonly isCounting: () => boolean
  readonly startedAt: Date
}

/** The options, and the renderer of the pages in a language, which the first page in it loads. */
interface Explorer extends ExplorerOptions {
  readonly site: Omit<Site, 'baseUrl' | 'isCounting'>
  readonly router: Router
  readonly renderer: (language: string) => Promise<Renderer>
  /** The headers of the page at a URL. */
  readonly headersAt: (url: string) => readonly string[]
}

const HTML = 'text/html; charset=utf-8'

/** The island's facts for pages. The build has the coastline of the default island. */
const islandFacts = (built: readonly Ring[]): IslandFacts => ({
  name: ISLAND.name,
  timeZone: ISLAND.timeZone,
  emergencyNumbers: ISLAND.emergencyNumbers,
  coastline: { rings: ISLAND.outline ?? built, attribution: ISLAND.coastline?.attribution },
})

/** The languages that the island's file names, and English. Throws {@link ConfigFileError} for a language without a catalogue. */
function offeredLanguages(built: readonly Language[]): readonly Language[] {
  const { languages = [] } = ISLAND
  for (const [index, language] of languages.entries())
    if (!built.some(({ code }) => code === language))
      throw new ConfigFileError(
        ...(['ISLAND', islandFile ?? '', `/languages/${index}`] as const),
        `is "${language}"; allowed: ${built.map(({ code }) => code).join(', ')}`,
      )
  return built.filter(({ code }) => code === ENGLISH || languages.includes(code))
}

/** The pages in English have no language in their paths. */
const ENGLISH = 'en'
const prefixOf = (language: string) => (language === ENGLISH ? '' : `/${language}`)

/** Adds the pages and files of the explorer. Returns the renderer of problems as pages. Throws if nothing has been built. */
export function addExplorer(router: Router, options: ExplorerOptions): ProblemPages {
  const { baseUrl, startedAt, site } = options
  const { pages, files, coastline, languages: built } = readBuild()
  const languages = offeredLanguages(built)
  const { baseMap } = site
  const headers = explorerHeaders(baseMap && 'url' in baseMap ? new URL(baseMap.url).origin : undefined)
  const loaded: Record<string, Promise<Renderer>> = {}
  const renderer = (language: string) => (loaded[language] ??= loadRenderer(language))
  const explorer = {
    ...options,
    site: { ...site, island: islandFacts(coastline), languages },
    router,
    renderer,
    headersAt: (url: string) => (isEmbed(url) ? EMBED_HEADERS : headers),
  }
  addFiles(router, files, { lastModified: startedAt, pageHeaders: headers })
  for (const { code } of languages)
    for (const page of pages) if (code === ENGLISH || page.isTranslated) addPage(explorer, page, code)
  addTypedAddresses(router)
  addWebManifest(router, site)
  const addresses = async (request: ParsedRequest) =>
    (await (await renderer(ENGLISH)).listAddresses(createInnerJson(request, options))).map(
      ({ path, isTranslated }) => ({
        path,
        alternates: isTranslated
          ? languages.map(({ code }) => ({ language: code, path: prefixOf(code) + path }))
          : [],
      }),
    )
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

function addPage(
  explorer: Explorer,
  { path: pattern, maxAge, type = HTML }: BuiltExplorer['pages'][number],
  language: string,
): void {
  const { router, renderer, headersAt, site } = explorer
  const { synthetic } = site
  const render = async (request: ParsedRequest) => {
    const { loadPage } = await renderer(language)
    let isKept = true
    const onUnkept = () => {
      isKept = false
    }
    const { params, queryString, url } = request
    const rendering = await loadPage({
      pattern,
      path: language === ENGLISH ? pathOf(url) : `/${pathOf(url).split('/').slice(2).join('/')}`,
      params,
      query: new URLSearchParams(queryString),
      site: siteOf(explorer),
      get: createInnerJson(request, { ...explorer, onUnkept }),
    })
    const page = await router.shared.scheduler.run(request.client(), rendering)
    // If there is no page, a program gets the same problem as at any other unknown path.
    if (page.status === 404 && !prefersPages(request.headers.accept))
      throw new Problem('NOT_FOUND', 'There is no page at this address.')
    if (page.status !== 200) return unkeptPage(page, synthetic)
    return isKept ? page.html : unkeptPage(page, synthetic, type)
  }
  addText(router, {
    path: prefixOf(language) + pattern,
    defaultHeaders: headersAt(pattern),
    type,
    maxAge,
    synthetic,
    render,
    keyOf: ({ url }) => url,
  })
}

const siteOf = ({ site, baseUrl, isCounting }: Explorer): Site => ({
  ...site,
  baseUrl: baseUrl(),
  isCounting: isCounting(),
})

function problemPages(explorer: Explorer): ProblemPages {
  const { router, renderer, headersAt, baseUrl, site } = explorer
  const pageOf = async (problem: Problem, url: string, client: string) => {
    const body = JSON.parse(String(problemBody(problem, url, baseUrl())))
    const code = site.languages.find(({ code }) => code === url.split('/')[1])?.code ?? ENGLISH
    const { renderProblem } = await renderer(code)
    const rendered = await router.shared.scheduler.run(client, () =>
      renderProblem(body, siteOf(explorer), isEmbed(url)),
    )
    const page = unkeptPage(rendered, site.synthetic)
    return {
      ...page,
      headers: [...page.headers, ...headerList(problem.headers)],
      problem: problem.code,
    }
  }
  return {
    headersAt,
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
  type: string = HTML,
): PreparedResponse {
  const body = Buffer.from(html)
  return {
    status,
    headers: headerList({
      'content-type': type,
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

/** Loads the renderer of the pages in a language. This takes longer than the service may take to start, and only pages need it. */
const loadRenderer = (language: string): Promise<Renderer> =>
  import(new URL(language === ENGLISH ? 'server.js' : `server-${language}.js`, FOLDER).href)

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

/** Browsers ask for these files again before they use them. Each language has one. */
const SERVICE_WORKER = '/service-worker'
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
      defaultHeaders: path.startsWith(SERVICE_WORKER) ? pageHeaders : undefined,
      cacheVersion: () => lastModified,
      make: () => storeResponse(about, readBuilt(path)),
    })
  }
}

/** A file that is named by its content never changes. */
function lifetimeOf(path: string): Pick<Representation, 'maxAge' | 'immutable'> {
  if (path.startsWith('/assets/')) return { maxAge: YEAR_S, immutable: true }
  return { maxAge: path.startsWith(SERVICE_WORKER) ? 0 : HOUR_S }
}
