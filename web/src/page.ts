import type { ComponentType } from 'preact'
import type { FeedLink, GetJson, Site } from '../../src/interfaces/web/explorer.ts'

export { absolute, to } from './address.ts'

/** What a page is loaded with. */
export interface LoadRequest {
  /** The path as asked for. */
  readonly path: string
  /** The variable parts of the path by name, decoded. */
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly get: GetJson
}

/** What a view is given. */
export interface ViewProps<Data> {
  readonly data: Data
  readonly site: Site
}

/** A page: rendered by the service for anybody, and again in the browser where it has a script. */
export interface Page<Data = unknown> {
  /** The pattern of its path: variable parts are `:name`. */
  readonly path: string
  /** Seconds for which it may be cached. */
  readonly maxAge: number
  /** The folder whose `browser.tsx` runs in browsers; a page without one has no script of its own. */
  readonly script?: string
  /** False where the script works on the page as it is, without its data. */
  readonly hydrated?: boolean
  /** Gets all that the view shows; an {@link ApiError} that it does not catch becomes a page that says so. */
  readonly load: (request: LoadRequest) => Promise<Data>
  readonly title: (data: Data) => string
  /** A sentence for search engines. */
  readonly description: (data: Data) => string
  /** The path of its one address, where others show the same; without it the path as asked for. */
  readonly canonical?: (data: Data) => string | undefined
  /** False for a page that no search engine should list. */
  readonly isListed?: boolean
  /** The addresses of all its pages, for search engines: of a pattern with variable parts. */
  readonly addresses?: (get: GetJson) => Promise<readonly string[]>
  readonly View: ComponentType<ViewProps<Data>>
  /** The status of a page that has nothing to show; 200 where it is not said. */
  readonly status?: (data: Data) => number
  /** Seconds after which to try again, where there is nothing to show yet. */
  readonly retryAfterS?: (data: Data) => number | undefined
  /** The page as schema.org describes it, for search engines. */
  readonly structured?: (data: Data) => object | undefined
  /** The feeds that belong to it. */
  readonly feeds?: (site: Site) => readonly FeedLink[]
}

/** Declares a page; its parts agree on what it loads. */
export const declarePage = <Data>(page: Page<Data>): Page => page as unknown as Page
