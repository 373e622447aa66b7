import Type, { type TSchema } from 'typebox'
import { integer } from '../../values/values.ts'

/** The position of a page in the whole list. */
export const Pagination = Type.Object(
  {
    page: Type.Integer({ description: 'This page, counted from 1.', minimum: 1 }),
    limit: Type.Integer({ description: 'Maximum number of entries per page.', minimum: 1 }),
    totalPages: Type.Integer({ description: 'Number of pages; 0 if nothing matches.', minimum: 0 }),
    totalItems: Type.Integer({ description: 'Exact number of entries on all pages.', minimum: 0 }),
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

/** Computes the pagination of a page. */
export function pageOf(query: { page: number; limit: number }, totalItems: number): Pagination {
  const { page, limit } = query
  return { page, limit, totalPages: Math.ceil(totalItems / limit), totalItems }
}

/** The JSON before and after the entries of a page. */
export function pageFrame(pagination: Pagination): [before: string, after: string] {
  const { page, limit, totalPages, totalItems } = pagination
  const numbers = `"page":${page},"limit":${limit},"totalPages":${totalPages},"totalItems":${totalItems}`
  return [`{"pagination":{${numbers}},"results":[`, ']}']
}

/**
 * The Link header to the first, previous, next and last page (RFC 8288), relative to the host, so that the links are valid
 * behind every proxy.
 */
export function paginationLinks(
  path: string,
  canonicalQuery: string,
  { page, totalPages }: Pagination,
): Record<string, string> {
  const last = Math.max(1, totalPages)
  // The page always comes first, so that each page has one URL and one cache entry.
  const others = canonicalQuery.replace(/^page=\d+(&|$)/, '')
  const link = (rel: string, target: number) =>
    `<${path}?page=${target}${others && '&'}${others}>; rel="${rel}"`
  const links = [link('first', 1)]
  if (page > 1) links.push(link('prev', Math.min(page - 1, last)))
  if (page < last) links.push(link('next', page + 1))
  links.push(link('last', last))
  return { link: links.join(', ') }
}
