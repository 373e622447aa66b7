import type { Contact } from '../../datasets/contact.ts'
import type { ProblemBody } from '../../http/response/problem-body.ts'

/*
 * The types that the service and its pages share. The build makes the pages from `web/`, which imports these types, the registry
 * of problems and `address-of.ts`. The service imports the pages from the build.
 */

/** What every page says of the service. */
export interface Site {
  readonly title: string
  readonly description?: string | undefined
  readonly contact?: Contact | undefined
  /** True for the demo. */
  readonly synthetic: boolean
  /** False without a live feed: no page says then that the spaces of car parks are counted. */
  readonly isCounting: boolean
  /** The public base address, without a trailing slash. */
  readonly baseUrl: string
  /** The feeds of news and releases. */
  readonly feeds: readonly FeedLink[]
  /** The raster tiles of the map; without them it shows the island's outline alone. */
  readonly tiles?: MapTiles | undefined
}

/** A feed that pages and lists link. */
export interface FeedLink {
  readonly title: string
  /** Its path without the suffix of a format. */
  readonly path: string
}

/** Raster tiles, and whom the map names for them. */
export interface MapTiles {
  /** Their address, with {z}, {x} and {y}. */
  readonly url: string
  readonly attribution: string
}

/** Gives the JSON of one of the service's own addresses. Rejects with an {@link ApiError}. */
export type GetJson = <T>(url: string) => Promise<T>

/** What is thrown for a response with a problem; for one without, as where nothing answers, it has none. */
export interface ApiError extends Error {
  readonly problem?: ProblemBody
  /** Seconds after which the request may succeed, where the response says so. */
  readonly retryAfterS?: number | undefined
}

/** A page that is asked for. */
export interface PageRequest {
  /** The pattern of its path. */
  readonly pattern: string
  readonly path: string
  /** The variable parts of its path by name, decoded. */
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly site: Site
  readonly get: GetJson
}

/** A page as HTML. */
export interface RenderedPage {
  readonly status: number
  readonly html: string
  /** Seconds after which to try again, where the page is of a problem that passes. */
  readonly retryAfterS?: number
}

/** What the build exports to render pages. */
export interface Renderer {
  /** Gets what a page shows, and gives what renders it; a problem with its data becomes a page that says so. */
  readonly loadPage: (request: PageRequest) => Promise<() => RenderedPage>
  /** Gives the paths of all pages that search engines should list. */
  readonly listAddresses: (get: GetJson) => Promise<readonly string[]>
  /** Renders the page of a problem that a browser met on its way. */
  readonly renderProblem: (problem: ProblemBody, site: Site) => RenderedPage
}

/** What the build tells of the pages, to be read before anything of them is loaded. */
export interface BuiltExplorer {
  /** The patterns of their paths, and the seconds for which each may be cached. */
  readonly pages: readonly { readonly path: string; readonly maxAge: number }[]
  /** The paths of the files that they load, each named by its content. */
  readonly files: readonly string[]
}
