import Type, { type TSchema } from 'typebox'
import { integer } from '../values/values.ts'

/** Where a page stands among all (spec 2.1). */
export const Pagination = Type.Object(
  {
    page: Type.Integer({ description: 'This page, counted from 1.', minimum: 1 }),
    limit: Type.Integer({ description: 'The most entries that a page has.', minimum: 1 }),
    totalPages: Type.Integer({ description: 'Number of pages; 0 where nothing matches.', minimum: 0 }),
    totalItems: Type.Integer({ description: 'Number of entries on all pages together, exact.', minimum: 0 }),
  },
  { $id: 'Pagination', title: 'Pagination' },
)
export type Pagination = Type.Static<typeof Pagination>

/** The response of a paged list. */
export const paged = (item: TSchema) =>
  Type.Object({
    pagination: Pagination,
    results: Type.Array(item, { description: 'The entries of this page.' }),
  })

/** The parameters `page` and `limit`. A page past the end is not an error: it is empty, with the true totals. */
export const pageParameters = (options: { limit: number; limitMax: number }) => ({
  page: {
    type: integer({ minimum: 1, maximum: 1_000_000_000 }),
    default: 1,
    description: 'The page to show, counted from 1. A page past the end has no entries and the true totals.',
  },
  limit: {
    type: integer({ minimum: 1, maximum: options.limitMax }),
    default: Math.min(options.limit, options.limitMax),
    description: 'Entries per page.',
  },
})

export function pageOf(query: { page: number; limit: number }, totalItems: number): Pagination {
  const { page, limit } = query
  return { page, limit, totalPages: Math.ceil(totalItems / limit), totalItems }
}

/** The body of a page whose entries are written already: JSON texts joined by commas. */
export function renderPage(pagination: Pagination, entries: Buffer): Buffer {
  const start = `{"pagination":${JSON.stringify(pagination)},"results":[`
  const body = Buffer.allocUnsafe(start.length + entries.length + 2)
  body.write(start, 'latin1')
  entries.copy(body, start.length)
  body.write(']}', body.length - 2, 'latin1')
  return body
}

/**
 * The Link header to the first, previous, next and last page (RFC 8288), as references relative to the host, so that
 * they hold behind every proxy.
 */
export function paginationLinks(
  path: string,
  canonicalQuery: string,
  { page, totalPages }: Pagination,
): Record<string, string> {
  const last = Math.max(1, totalPages)
  const pages = { first: 1, prev: Math.min(page - 1, last), next: page + 1, last }
  const links = Object.entries(pages)
    .filter(([rel, target]) => rel === 'first' || rel === 'last' || (target >= 1 && target <= last))
    .map(([rel, target]) => `<${pageReference(path, canonicalQuery, target)}>; rel="${rel}"`)
  return { link: links.join(', ') }
}

/** The page comes first whether or not it was asked for, so that a page has one address and is kept once. */
function pageReference(path: string, canonicalQuery: string, page: number): string {
  const others = [...new URLSearchParams(canonicalQuery)].filter(([name]) => name !== 'page')
  return `${path}?${new URLSearchParams([['page', String(page)], ...others])}`
}
