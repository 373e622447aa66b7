import Type, { type TSchema } from 'typebox'
import { InvalidParameter, integer } from '../../values/values.ts'
import { CURSOR_PARAMETER, type CursorValue } from './cursor.ts'

/** The position of a page in the whole list. */
export const Pagination = Type.Object(
  {
    page: Type.Integer({ description: 'This page, counted from 1.', minimum: 1 }),
    limit: Type.Integer({ description: 'Maximum number of entries per page.', minimum: 1 }),
    totalPages: Type.Integer({ description: 'Number of pages; 0 if nothing matches.', minimum: 0 }),
    totalItems: Type.Integer({ description: 'Exact number of entries on all pages.', minimum: 0 }),
    nextCursor: Type.Optional(
      Type.Unsafe<string | null>({
        type: ['string', 'null'],
        description: 'Only with `cursor`: the cursor of the next page; null on the last one.',
      }),
    ),
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

/** The parameters of a list in pages. A page past the end is not an error: it is empty, with the true totals. */
export const pageParameters = (options: { limit: number; limitMax: number }) => ({
  page: {
    type: integer({ minimum: 1, maximum: 1_000_000_000 }),
    default: 1,
    description: 'The page to show, counted from 1. A page past the end has no entries and the true totals.',
  },
  limit: {
    ...limitParameter(options.limitMax, { default: options.limit }),
    description: 'Entries per page. In formats other than JSON, every entry without it.',
  },
  cursor: CURSOR_PARAMETER,
})

/** The parameter `limit` of a list that is served whole. */
export const limitParameter = (limitMax: number, keywords: object = {}) => {
  const type = integer({ minimum: 1, maximum: limitMax })
  // Not a default of the parameter: the format decides what its absence means.
  return {
    type: { ...type, schema: { ...type.schema, ...keywords } },
    description: 'The most entries to show; all without it.',
  }
}

/** The values of the parameters of pages. */
export interface PageValues {
  readonly page?: number | undefined
  readonly limit?: number | undefined
  readonly cursor?: CursorValue | undefined
}

/** The page that parameters ask for; undefined where they ask for every entry. */
export function askedPage(
  { page = 1, limit, cursor }: PageValues,
  { pageLength, isJson }: { pageLength: number; isJson: boolean },
): { page: number; limit: number } | undefined {
  if (cursor !== undefined && page > 1)
    throw new InvalidParameter({
      parameter: 'page',
      value: String(page),
      detail: 'is given with a cursor',
      allowed: 'one of page and cursor',
    })
  if (limit !== undefined || isJson || cursor !== undefined) return { page, limit: limit ?? pageLength }
  if (page === 1) return undefined
  throw new InvalidParameter({
    parameter: 'page',
    value: String(page),
    detail: 'is given without limit',
    allowed: 'in this format together with limit: without it every entry is sent',
  })
}

/** Computes the pagination of a page. */
export function pageOf(query: { page: number; limit: number }, totalItems: number): Pagination {
  const { page, limit } = query
  return { page, limit, totalPages: Math.ceil(totalItems / limit), totalItems }
}

/** The JSON before and after the entries of a page. */
export function pageFrame(pagination: Pagination): [before: string, after: string] {
  const { page, limit, totalPages, totalItems, nextCursor } = pagination
  const numbers = `"page":${page},"limit":${limit},"totalPages":${totalPages},"totalItems":${totalItems}`
  const next = nextCursor === undefined ? '' : `,"nextCursor":${JSON.stringify(nextCursor)}`
  return [`{"pagination":{${numbers}${next}},"results":[`, ']}']
}

/**
 * The Link header to the first, previous, next and last page, or with a cursor to the first and next one (RFC 8288), relative
 * to the host, so that the links are valid behind every proxy.
 */
export function paginationLinks(
  path: string,
  canonicalQuery: string,
  { page, totalPages, nextCursor }: Pagination,
): Record<string, string> {
  const link = (rel: string, query: string) => `<${path}?${query}>; rel="${rel}"`
  // The page or cursor always comes first, so that each page has one URL and one cache entry.
  const others = canonicalQuery.replace(/(^|&)(page|cursor)=[^&]*/g, '').replace(/^(?=[^&])/, '&')
  if (nextCursor !== undefined) {
    const next = nextCursor === null ? [] : [link('next', `cursor=${nextCursor}${others}`)]
    return { link: [link('first', `cursor=*${others}`), ...next].join(', ') }
  }
  const last = Math.max(1, totalPages)
  const links = [link('first', `page=1${others}`)]
  if (page > 1) links.push(link('prev', `page=${Math.min(page - 1, last)}${others}`))
  if (page < last) links.push(link('next', `page=${page + 1}${others}`))
  links.push(link('last', `page=${last}${others}`))
  return { link: links.join(', ') }
}
