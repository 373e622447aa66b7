import { createHash } from 'node:crypto'
import Type, { type TSchema } from 'typebox'
import type { ReleaseReference } from '../../datasets/dataset.ts'
import type { Parameters } from '../../http/parameters.ts'
import { InvalidParameter, integer, NotAllowed, type Parameter } from '../../values/values.ts'

/** The position of a client that reads all pages: a release, and how many of the query's entries precede the page. */
interface Cursor {
  readonly release: ReleaseReference
  readonly offset: number
  /** The digest of the query. */
  readonly query: string
}

/** The value that asks for the first page. */
const START = '*'

type CursorValue = Cursor | typeof START

/** The parameter `cursor`. */
const CURSOR_PARAMETER: Parameter<CursorValue> = {
  type: {
    allowed: `${START} for the first page, then the nextCursor of each page`,
    schema: Type.String({ examples: [START] }),
    format: cursor => (cursor === START ? START : cursorText(cursor)),
    parse: text => (text === START ? START : cursorOf(text)),
  },
  description:
    'Reads all pages of one release: `*` for the first page, then the `nextCursor` of each page, also linked as `next`. For an hour after a new release, pages go on from the one they began with, so that no entry is dropped or repeated.',
}

/** The text of a cursor: opaque to clients, valid in a URL. */
function cursorText({ release, offset, query }: Cursor): string {
  return Buffer.from(JSON.stringify([release.number, release.hash, offset, query])).toString('base64url')
}

function cursorOf(text: string): Cursor {
  try {
    const [number, hash, offset, query, ...more] = JSON.parse(Buffer.from(text, 'base64url').toString())
    const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0
    const isText = (value: unknown): value is string => typeof value === 'string'
    if (isCount(number) && isText(hash) && isCount(offset) && isText(query) && more.length === 0)
      return { release: { number, hash }, offset, query }
  } catch {
    // Not a cursor: the error follows.
  }
  throw new NotAllowed('is not a cursor of this service')
}

/** Refers to a release. */
const referTo = ({ number, hash }: ReleaseReference): ReleaseReference => ({
  number,
  hash: hash.slice(0, 12),
})

/**
 * Where reading begins, from the parameter and the canonical query. Throws {@link InvalidParameter} for another query's cursor.
 */
export function cursorAt(
  value: CursorValue | undefined,
  canonicalQuery: string,
  current: ReleaseReference,
): Cursor | undefined {
  if (value === undefined) return undefined
  const query = digestOf(canonicalQuery)
  if (value === START) return { release: referTo(current), offset: 0, query }
  if (value.query === query) return value
  throw new InvalidParameter({
    parameter: 'cursor',
    value: cursorText(value).slice(0, 100),
    detail: 'belongs to another query',
    allowed: 'the nextCursor of a page with the same filters and order',
  })
}

/** Pages of one query may differ in length, fields and format. */
function digestOf(canonicalQuery: string): string {
  const selection = canonicalQuery
    .split('&')
    .filter(part => !/^(page|limit|cursor|fields|format|pretty|bom)=/.test(part))
    .join('&')
  return createHash('sha256').update(selection).digest('base64url').slice(0, 8)
}

/** The position of a page in the whole list. */
const Pagination = Type.Object(
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

/** The response of a paged list. */
export const paged = (item: TSchema) =>
  Type.Object({
    pagination: Pagination,
    results: Type.Array(item, { description: 'The entries of this page.' }),
  })

const PAGE_PARAMETER: Parameter<number> = {
  type: integer({ minimum: 1, maximum: 1_000_000_000 }),
  default: 1,
  description: 'The page to show, counted from 1. A page past the end has no entries and the true totals.',
}

/**
 * The parameters of the length and position of a list, which is served whole if it has no length of pages. A page past the end
 * is not an error: it is empty, with the true totals.
 */
export function pageParameters(limitMax: number, pageLength: number | undefined): Parameters {
  if (pageLength === undefined) return { limit: limitParameter(limitMax) }
  const limit = {
    ...limitParameter(limitMax, { default: pageLength }),
    description: 'Entries per page. In formats other than JSON, every entry without it.',
  }
  return { page: PAGE_PARAMETER, limit, cursor: CURSOR_PARAMETER }
}

/** The parameter `limit` of a list that is served whole. */
export const limitParameter = (limitMax: number, keywords: object = {}) => {
  const type = integer({ minimum: 1, maximum: limitMax })
  // Only the schema has a default: the format decides what a missing `limit` means.
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

/** Where a page begins among all entries, and the cursor of a client that reads all pages. */
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
export function paginationOf({ limit, offset, cursor }: PageStart, totalItems: number) {
  const next = offset + limit
  return {
    page: Math.floor(offset / limit) + 1,
    limit,
    totalPages: Math.ceil(totalItems / limit),
    totalItems,
    nextCursor: cursor && (next < totalItems ? cursorText({ ...cursor, offset: next }) : null),
  }
}

type Pages = ReturnType<typeof paginationOf>

/** The JSON before and after the entries of a page. */
export function pageFrame(pagination: Pages): [before: string, after: string] {
  return [`{"pagination":${JSON.stringify(pagination)},"results":[`, ']}']
}

/**
 * The entries of the header Link (RFC 8288): the first, previous, next and last page, or with a cursor the first and the next.
 * They are relative to the host, so that the links are valid behind every proxy.
 */
export function paginationLinks(
  path: string,
  canonicalQuery: string,
  { page, totalPages, nextCursor }: Pages,
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
