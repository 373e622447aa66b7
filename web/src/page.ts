import type { ComponentType } from 'preact'
import type { FeedLink, GetJson, Site } from '../../src/interfaces/web/explorer.ts'

export { absolute, to } from './address.ts'

/** The request that a page loads its data for. */
export interface LoadRequest {
  /** The path of the request. */
  readonly path: string
  /** The variable parts of the path by name, decoded. */
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly get: GetJson
}

/** The properties of a view. */
export interface ViewProps<Data> {
  readonly data: Data
  readonly site: Site
}

/** A page. The service renders it, and a page with a script is rendered again in the browser. */
export interface Page<Data = unknown> {
  /** The pattern of its path: variable parts are `:name`. */
  readonly path: string
  /** The seconds that caches may keep the page. */
  readonly maxAge: number
  /** The media type of a page that is a file: what its view renders, without a document around it. */
  readonly type?: string
  /** The folder whose `browser.tsx` runs in browsers. A page without it has no script. */
  readonly script?: string
  /** True if the script renders the page again from its data. Other scripts work on the rendered page. */
  readonly hydrated?: boolean
  /** Gets the data of the view. An {@link ApiError} becomes a page about the problem. */
  readonly load: (request: LoadRequest) => Promise<Data>
  readonly title: (data: Data) => string
  /** A sentence for search engines. */
  readonly description: (data: Data) => string
  /** The path of the page's main address; other addresses lead there. Default: the path of the request. */
  readonly canonical?: (data: Data) => string | undefined
  /** False for a page that no search engine should list. */
  readonly isListed?: boolean
  /** The addresses of all pages of a pattern with variable parts, for search engines. */
  readonly addresses?: (get: GetJson) => Promise<readonly string[]>
  readonly View: ComponentType<ViewProps<Data>>
  /** The status of the page; 200 by default. */
  readonly status?: (data: Data) => number
  /** The seconds until another try, if there is nothing to show yet. */
  readonly retryAfterS?: (data: Data) => number | undefined
  /** The page as schema.org describes it, for search engines. */
  readonly structured?: (data: Data) => object | undefined
  /** The feeds that belong to the page. */
  readonly feeds?: (site: Site) => readonly FeedLink[]
}

/** Declares a page. The compiler checks that its functions take the data that it loads. */
export const declarePage = <Data>(page: Page<Data>): Page => page as unknown as Page
