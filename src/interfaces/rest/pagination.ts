import Type, { type TSchema } from 'typebox'
import { InvalidParameter, integer } from '../../values/values.ts'
import { CURSOR_PARAMETER, type Cursor, type CursorValue, cursorText } from './cursor.ts'

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

/** Where a page begins among all entries, and where reading all pages began. */
interface PageStart {
  readonly limit: number
  readonly offset: number
  readonly cursor: Cursor | undefined
}

/** Throws {@link InvalidParameter} for parameters of pages that contradict each other. */
export function requirePage({ page = 1, limit, cursor }: PageValues, isJson: boolean): void {
  if (page === 1) return
  const refuse = (detail: string, allowed: string) =>
    new InvalidParameter({ parameter: 'page', value: String(page), detail, allowed })
  if (cursor !== undefined) throw refuse('is given with a cursor', 'one of page and cursor')
  if (limit === undefined && !isJson)
    throw refuse(
      'is given without limit',
      'in this format together with limit: without it every entry is sent',
    )
}

/** Computes the pagination of a page. */
export function paginationOf({ limit, offset, cursor }: PageStart, totalItems: number): Pagination {
  const next = offset + limit
  return {
    page: Math.floor(offset / limit) + 1,
    ...{ limit, totalPages: Math.ceil(totalItems / limit), totalItems },
    ...(cursor && { nextCursor: next < totalItems ? cursorText({ ...cursor, offset: next }) : null }),
  }
}

/** The JSON before and after the entries of a page. */
export function pageFrame(pagination: Pagination): [before: string, after: string] {
  return [`{"pagination":${JSON.stringify(pagination)},"results":[`, ']}']
}

/**
 * The entries of the header Link for the first, previous, next and last page, or with a cursor for the first and next one (RFC
 * 8288), relative to the host, so that the links are valid behind every proxy.
 */
export function paginationLinks(
  path: string,
  canonicalQuery: string,
  { page, totalPages, nextCursor }: Pagination,
): string {
  // The page or cursor always comes first, so that each page has one URL and one cache entry.
  const others = canonicalQuery.replace(/(^|&)(page|cursor)=[^&]*/g, '').replace(/^(?=[^&])/, '&')
  const last = Math.max(1, totalPages)
  const targets =
    nextCursor === undefined
      ? {
          first: 'page=1',
          prev: page > 1 && `page=${Math.min(page - 1, last)}`,
          next: page < last && `page=${page + 1}`,
          last: `page=${last}`,
        }
      : { first: 'cursor=*', next: nextCursor !== null && `cursor=${nextCursor}` }
  return Object.entries(targets)
    .flatMap(([rel, target]) => (target === false ? [] : [`<${path}?${target}${others}>; rel="${rel}"`]))
    .join(', ')
}
