import { renderToString } from 'preact-render-to-string'
import type {
  ApiError,
  BuiltExplorer,
  Language,
  PageRequest,
  RenderedPage,
  Renderer,
} from '../../src/interfaces/web/explorer.ts'
import { isEmbed } from '../../src/values/addresses/address-of.ts'
import { isTranslated, to } from './address.ts'
import type { Page } from './page.ts'
import { ALL } from './pages/index.ts'
import { type ProblemData, problemPage } from './pages/problems/met.tsx'
import { Document, type Head } from './shell/document.tsx'
import { embedded } from './shell/embedded.ts'
import { setSite } from './site.ts'
import { language } from './texts/en/language.ts'

/** The files of each script, by its name. The build fills this in. */
declare const LOADED: Readonly<Record<string, Loaded>>

interface Loaded {
  readonly script: string
  readonly modules: readonly string[]
  readonly styles: readonly string[]
}

export const PAGES: BuiltExplorer['pages'] = ALL.map(({ path, maxAge, type }) => ({
  ...{ path, maxAge, type, isTranslated: isTranslated(path) },
}))

/** The language of these pages. */
export const LANGUAGE: Language = { code: language.code, name: language.name, offer: language.offer }

const byPattern = new Map(ALL.map(page => [page.path, page]))

export const loadPage: Renderer['loadPage'] = async request => {
  const { pattern, site, query } = request
  // Pages put times into words while they load.
  setSite(site)
  const page = byPattern.get(pattern)
  if (page === undefined) throw new Error(`no page at ${pattern}`)
  try {
    const data = await page.load(request)
    const isEmbedded = isEmbed(pattern)
    // An embed leads to the page with the same query.
    const path = isEmbedded && query.size > 0 ? `${request.path}?${query}` : request.path
    return () => render(page, data, { site, path, isEmbedded })
  } catch (error) {
    const { problem, retryAfterS } = error as ApiError
    if (problem === undefined) throw error
    return () => ({ ...renderProblem(problem, site, isEmbed(pattern)), retryAfterS })
  }
}

export const listAddresses: Renderer['listAddresses'] = async get => {
  const listed = ALL.filter(({ isListed, path }) => isListed !== false && !isEmbed(path))
  const addresses = listed.map(({ path, addresses }) =>
    // A dataset that is not available has no addresses.
    addresses === undefined ? [path] : addresses(get).catch((): string[] => []),
  )
  return (await Promise.all(addresses)).flat().map(path => ({ path, isTranslated: isTranslated(path) }))
}

export const renderProblem: Renderer['renderProblem'] = (problem, site, isEmbedded) =>
  render<ProblemData>(problemPage, { problem }, { site, path: undefined, isEmbedded })

/** An address without what does not matter: the case of an id or a code, and the way in which a proxy wrote its characters. */
const plainAddress = (path: string) => decodeURIComponent(path).toLowerCase()

/** Renders a page. The path is undefined for a page without its own address. */
function render<Data>(
  page: Page<Data>,
  data: Data,
  { site, path, isEmbedded }: Pick<PageRequest, 'site'> & { path: string | undefined; isEmbedded: boolean },
): RenderedPage {
  setSite(site)
  const canonical = page.canonical?.(data) ?? path
  if (canonical !== undefined && path !== undefined && plainAddress(canonical) !== plainAddress(path))
    return { status: 302, html: '', location: to(canonical) }
  const { script, View, type } = page
  if (type !== undefined) return { status: 200, html: renderToString(<View data={data} site={site} />) }
  const structured = page.structured?.(data)
  const loaded = [
    LOADED[isEmbedded ? 'frame' : 'shell'],
    script === undefined ? undefined : LOADED[script],
  ].filter(each => each !== undefined)
  const head: Head = {
    title: page.title(data),
    description: page.description(data),
    canonical,
    isListed: page.isListed !== false && !isEmbedded,
    isEmbedded,
    feeds: page.feeds?.(site) ?? [],
    scripts: loaded.map(each => each.script),
    modules: [...new Set(loaded.flatMap(({ modules }) => modules))],
    styles: [...new Set(loaded.flatMap(({ styles }) => styles))],
    structured: structured === undefined ? undefined : embedded(structured),
    data: page.hydrated ? embedded(data) : undefined,
  }
  const status = page.status?.(data) ?? 200
  const html = renderToString(
    // There is no page to lead to from the frame of a place that does not exist.
    <Document head={head} site={site} path={isEmbedded && status === 404 ? undefined : path}>
      <View data={data} site={site} />
    </Document>,
  )
  return {
    status,
    html: `<!doctype html>${html}`,
    retryAfterS: page.retryAfterS?.(data),
  }
}
