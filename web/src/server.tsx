import { renderToString } from 'preact-render-to-string'
import type {
  ApiError,
  BuiltExplorer,
  PageRequest,
  RenderedPage,
  Renderer,
  Site,
} from '../../src/interfaces/web/explorer.ts'
import { absolute, to } from './address.ts'
import type { Page } from './page.ts'
import { ALL } from './pages/index.ts'
import { type ProblemData, problemPage } from './pages/problems/met.tsx'
import { Document, type Head } from './shell/document.tsx'
import { embedded } from './shell/embedded.ts'
import { setSite } from './site.ts'

/** The files of each script, by its name. The build fills this in. */
declare const LOADED: Readonly<Record<string, Loaded>>

interface Loaded {
  readonly script: string
  readonly modules: readonly string[]
  readonly styles: readonly string[]
}

export const PAGES: BuiltExplorer['pages'] = ALL.map(({ path, maxAge }) => ({ path, maxAge }))

const byPattern = new Map(ALL.map(page => [page.path, page]))

export const loadPage: Renderer['loadPage'] = async request => {
  const { pattern, site } = request
  const page = byPattern.get(pattern)
  if (page === undefined) throw new Error(`no page at ${pattern}`)
  try {
    const data = await page.load(request)
    return () => render(page, data, { site, path: request.path })
  } catch (error) {
    const { problem, retryAfterS } = error as ApiError
    if (problem === undefined) throw error
    return () => ({ ...renderProblem(problem, site), retryAfterS })
  }
}

export const listAddresses: Renderer['listAddresses'] = async get => {
  const listed = ALL.filter(({ isListed }) => isListed !== false)
  const addresses = listed.map(({ path, addresses }) =>
    // A dataset that is not available has no addresses.
    addresses === undefined ? [path] : addresses(get).catch((): string[] => []),
  )
  return (await Promise.all(addresses)).flat()
}

export const renderProblem: Renderer['renderProblem'] = (problem, site) =>
  render<ProblemData>(problemPage, { problem }, { site, path: undefined })

/** An address without what does not matter: the case of an id or a code, and the way in which a proxy wrote its characters. */
const plainAddress = (path: string) => decodeURIComponent(path).toLowerCase()

/** Renders a page. The path is undefined for a page without its own address. */
function render<Data>(
  page: Page<Data>,
  data: Data,
  { site, path }: Pick<PageRequest, 'site'> & { path: string | undefined },
): RenderedPage {
  setSite(site)
  const canonical = page.canonical?.(data) ?? path
  if (canonical !== undefined && path !== undefined && plainAddress(canonical) !== plainAddress(path))
    return { status: 302, html: '', location: to(canonical) }
  const { script, View } = page
  const structured = page.structured?.(data)
  const loaded = [LOADED.shell, script === undefined ? undefined : LOADED[script]].filter(
    each => each !== undefined,
  )
  const head: Head = {
    title: page.title(data),
    description: page.description(data),
    canonical: canonical === undefined ? undefined : absolute(canonical),
    isListed: page.isListed !== false,
    feeds: page.feeds?.(site) ?? [],
    scripts: loaded.map(each => each.script),
    modules: [...new Set(loaded.flatMap(({ modules }) => modules))],
    styles: [...new Set(loaded.flatMap(({ styles }) => styles))],
    structured: structured === undefined ? undefined : embedded(structured),
    data: page.hydrated ? embedded({ data, site } satisfies { data: Data; site: Site }) : undefined,
  }
  const html = renderToString(
    <Document head={head} site={site} path={path}>
      <View data={data} site={site} />
    </Document>,
  )
  return {
    status: page.status?.(data) ?? 200,
    html: `<!doctype html>${html}`,
    retryAfterS: page.retryAfterS?.(data),
  }
}
