import type { Contact } from '../../datasets/contact.ts'
import type { ProblemBody } from '../../http/problem-body.ts'

/*
 * The types that the service and its pages share. The build makes the pages from `web/`, which imports these types, the registry
 * of problems and `address-of.ts`. The service imports the pages from the build.
 */

/** The facts about the service on every page. */
export interface Site {
  readonly title: string
  readonly description?: string | undefined
  readonly contact?: Contact | undefined
  /** True for the demo. */
  readonly synthetic: boolean
  /** False without a live feed. Pages then do not say that the spaces of car parks are counted. */
  readonly isCounting: boolean
  /** The public base address, without a trailing slash. */
  readonly baseUrl: string
  readonly island: IslandFacts
  /** The languages of the pages, English among them. */
  readonly languages: readonly Language[]
  /** The feeds of news and releases. */
  readonly feeds: readonly FeedLink[]
  /** The base map under the places. If absent, the map shows the island's outline. */
  readonly baseMap?: VectorMap | MapTiles | undefined
}

/** A language of the pages, in its own words. */
export interface Language {
  /** The code (ISO 639-1), which begins the paths of its pages. English has none there. */
  readonly code: string
  readonly name: string
  /** Offers a page in this language. */
  readonly offer: string
}

/** The path of a page, and whether the page is in every language or in English alone. */
interface PagePath {
  readonly path: string
  readonly isTranslated: boolean
}

/** The island's facts for pages. */
export interface IslandFacts {
  readonly name: string
  readonly timeZone: string
  readonly emergencyNumbers: readonly string[]
  readonly coastline: Coastline
}

/** Positions along a closed line, degrees (WGS 84). */
export type Ring = readonly (readonly [longitude: number, latitude: number])[]

/** The outer rings of the island's land, and who made them, unless it is OpenStreetMap. */
export interface Coastline {
  readonly rings: readonly Ring[]
  readonly attribution?: string | undefined
}

/** A feed that pages and lists link. */
export interface FeedLink {
  readonly title: string
  /** Its path without the suffix of a format. */
  readonly path: string
}

/** Vector tiles that the service has in one file. */
export interface VectorMap {
  /** The address of the file, relative to the host. */
  readonly path: string
  readonly attribution: string
}

/** Raster tiles, and their attribution on the map. */
export interface MapTiles {
  /** The address of a tile, with {z}, {x} and {y}. */
  readonly url: string
  readonly attribution: string
}

/** Gets the JSON of one of the service's own addresses. Rejects with an {@link ApiError}. */
export type GetJson = <T>(url: string) => Promise<T>

/** The error of a failed request. `problem` is absent if the response had no problem, or if nothing responded. */
export interface ApiError extends Error {
  readonly problem?: ProblemBody
  /** Seconds until the request may succeed, if the response states them. */
  readonly retryAfterS?: number | undefined
}

/** A request for a page. */
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
  /** Seconds to wait before another try, if the page is about a temporary problem. */
  readonly retryAfterS?: number | undefined
  /** The address of the page, if the request was for another one. */
  readonly location?: string | undefined
}

/** The functions of the build that render pages. */
export interface Renderer {
  /**
   * Gets the data of a page, and returns the function that renders it. A problem with the data becomes a page about the
   * problem.
   */
  readonly loadPage: (request: PageRequest) => Promise<() => RenderedPage>
  /** Returns the paths of all pages that search engines should list. */
  readonly listAddresses: (get: GetJson) => Promise<readonly PagePath[]>
  /** Renders a problem as a page for a browser, or for a frame of another site. */
  readonly renderProblem: (problem: ProblemBody, site: Site, isEmbedded: boolean) => RenderedPage
}

/** The pages and files of the build, known before any of them is loaded. */
export interface BuiltExplorer {
  /** The path pattern of each page, the seconds that the page may be cached, and its media type unless it is HTML. */
  readonly pages: readonly (PagePath & { readonly maxAge: number; readonly type?: string | undefined })[]
  readonly languages: readonly Language[]
  /** The paths of the files that pages load, each named by its content. */
  readonly files: readonly string[]
  /** The outer rings of the default island's land. */
  readonly coastline: readonly Ring[]
}
