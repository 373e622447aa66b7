import { INDEX, OPTIONS } from 'virtual:documentation-search'
import MiniSearch from 'minisearch'

/** A result: a page, or a part of a page. */
export interface Entry {
  /** Its address with its anchor. */
  readonly path: string
  readonly section: string
  readonly title: string
  /** The heading of the part; empty for a page. */
  readonly heading: string
  /** The first sentence of a page; empty for a part. */
  readonly summary: string
}

const MAX_RESULTS = 20
const MAX_TERMS = 8

const splitTerms = MiniSearch.getDefault('tokenize')

const SEARCH = {
  combineWith: 'AND',
  tokenize: (question: string) => splitTerms(question).slice(0, MAX_TERMS),
  prefix: (term: string) => term.length > 2,
  fuzzy: (term: string) => (term.length > 3 ? 0.2 : false),
  // Headings say more than titles, and titles say more than text. Decisions come last.
  boost: { name: 6, title: 3 },
  boostDocument: (_path: unknown, _term: string, stored?: Record<string, unknown>) =>
    stored?.section === 'decisions' ? 0.2 : 1,
} as const

const index = MiniSearch.loadJSON<Entry>(INDEX, OPTIONS)

/** Finds entries with every word of a question, or with words that begin with it or are spelt like it; best first. */
export const search = (question: string): readonly Entry[] =>
  index
    .search(question, SEARCH)
    .slice(0, MAX_RESULTS)
    .map(({ path, section, title, heading, summary }) => ({ path, section, title, heading, summary }))
