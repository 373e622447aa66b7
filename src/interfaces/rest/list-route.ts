import { buffer } from 'node:stream/consumers'
import Type, { type TObject } from 'typebox'
import type { DatasetContext } from '../../datasets/dataset.ts'
import { describeRelease, type ReleaseInfo } from '../../datasets/release-representation.ts'
import type { RecordFormat } from '../../formats/format.ts'
import { formatsFor } from '../../formats/formats.ts'
import { addEndpoint } from '../../http/routing/endpoint.ts'
import type { Router } from '../../http/routing/router.ts'
import { DISTANCE } from '../../query/list/place.ts'
import { fieldsParameter } from '../../query/parameters/field-parameters.ts'
import type { ParameterValues } from '../../query/parameters/parameter-values.ts'
import type { Query } from '../../query/query.ts'
import { chain } from '../../values/promises.ts'
import { feedHeader, feedOf } from '../feeds/feed-links.ts'
import { type Cursor, cursorAt, cursorText } from './cursor.ts'
import { entrySchema, shownSchema } from './entry-schema.ts'
import {
  askedPage,
  limitParameter,
  type PageValues,
  type Pagination,
  paged,
  pageFrame,
  pageOf,
  pageParameters,
  paginationLinks,
} from './pagination.ts'
import { parametersOf } from './parameters-of.ts'
import { LONGEST_BUFFERED_PAGE, streamPage } from './streamed-page.ts'

/** Adds the list of a dataset: complete as `{results: [...]}`, or in pages; long pages and other formats are streamed. */
export function addListRoute(router: Router, context: DatasetContext): void {
  const { dataset, pageLimitMax, vehiclesRateLimit } = context
  const { list, record, maxAge } = dataset
  const { item = record, isRateLimited = false } = list
  const pageLength = list.pageLength && Math.min(list.pageLength, pageLimitMax)
  const feed = feedOf(dataset)
  const selected = parametersOf(context, list)
  const isExpensive = dataset.layout.kind === 'table'
  const formats = formatsFor(context.formats, item)
  const entry = entrySchema(item)
  addEndpoint(router, {
    path: dataset.path,
    operationId: list.operationId,
    tag: dataset.name,
    summary: list.summary,
    ...(list.description !== undefined && { description: list.description }),
    parameters: {
      ...(pageLength
        ? pageParameters({ limit: pageLength, limitMax: pageLimitMax })
        : { limit: limitParameter(pageLimitMax) }),
      ...selected.parameters,
      fields: fieldsParameter(Object.keys(item.properties)),
    },
    response: pageLength
      ? paged(entry)
      : Type.Object({ results: Type.Array(entry, { description: 'The entries.' }) }),
    formats,
    problems: [...(pageLength ? [410] : []), ...(isRateLimited ? [429] : []), ...(isExpensive ? [503] : [])],
    cacheVersion: context.release,
    expensive: isExpensive,
    ...(isRateLimited && { requestsPerHour: vehiclesRateLimit }),
    respond({ query, canonical: sent, path, format }) {
      const values: ListValues = query
      const { release: current } = context.snapshot()
      const written = formats.find(({ name }) => name === format)
      const isJson = written === undefined
      const page = pageLength ? askedPage(values, { pageLength, isJson }) : undefined
      const canonical = isJson || values.cursor !== undefined ? withoutLimit(sent, pageLength) : sent
      const cursor = cursorAt(values.cursor, canonical, current)
      const limit = page?.limit ?? values.limit
      const place = selected.place?.(values)
      const shown = shownSchema(item, values.fields, place)
      const asked: Query = {
        filters: selected.filters(values),
        sort: selected.sort?.(values) ?? [],
        ...(place && { place }),
        ...(shown !== record && { fields: namesOf(shown, written) }),
        ...(limit !== undefined && { limit }),
        offset: cursor?.offset ?? (page === undefined ? 0 : (page.page - 1) * page.limit),
      }
      const describe = (release: ReleaseInfo) => describeRelease(release, maxAge, `${path}?${canonical}`)
      const paginate = (total: number) => page && paginationOf(asked, page, total, cursor)
      /** The release that was read, and the links from its page to others. */
      const describePage = (release: ReleaseInfo, pagination: Pagination | undefined) => ({
        ...describe(release),
        ...withLinks(
          pagination && paginationLinks(router.shared.address(path), canonical, pagination).link,
          feed && feedHeader(feed, router.shared.address),
        ),
      })
      const body = () =>
        context.readSnapshot(
          ({ release, collection }) =>
            chain(collection.execute(asked), ({ total, json, batches }) => {
              const pagination = paginate(total)
              const bytes = written ? buffer(written.write(batches(), shown)) : json(...frameOf(pagination))
              return chain(bytes, body => ({ ...describePage(release, pagination), body }))
            }),
          cursor?.release,
        )
      const open = () =>
        context.readSnapshot(
          ({ release, collection }) =>
            chain(collection.execute(asked), ({ total, batches }) => {
              const pagination = paginate(total)
              return {
                ...describePage(release, pagination),
                chunks: written?.write(batches(), shown) ?? streamPage(batches(), frameOf(pagination)),
                heldBytes: written?.heldBytes,
              }
            }),
          cursor?.release,
        )
      const most = written === undefined ? (page?.limit ?? 0) : Math.min(limit ?? current.rows, current.rows)
      const linksWithBody = page !== undefined || feed !== undefined
      return { ...describe(current), linksWithBody, body: most > LONGEST_BUFFERED_PAGE ? { open } : body }
    },
  })
}

interface ListValues extends ParameterValues, PageValues {
  readonly fields?: readonly string[] | undefined
}

/** The fields to read: the shown fields, and any others that the format needs. */
const namesOf = ({ properties }: TObject, format: RecordFormat | undefined): string[] =>
  [...Object.keys(properties), ...(format?.reads ?? [])].filter(name => name !== DISTANCE)

function paginationOf(
  { offset = 0 }: Query,
  page: { page: number; limit: number },
  total: number,
  cursor: Cursor | undefined,
): Pagination {
  if (cursor === undefined) return pageOf(page, total)
  const next = offset + page.limit
  return {
    ...pageOf({ page: Math.floor(offset / page.limit) + 1, limit: page.limit }, total),
    nextCursor: next < total ? cursorText({ ...cursor, offset: next }) : null,
  }
}

/** The JSON before and after the entries. */
const frameOf = (pagination: Pagination | undefined) =>
  pagination ? pageFrame(pagination) : (['{"results":[', ']}'] as const)

/** A canonical query without the page length that it would have anyway. */
const withoutLimit = (canonical: string, pageLength: number | undefined): string =>
  canonical
    .split('&')
    .filter(part => part !== `limit=${pageLength}`)
    .join('&')

/** The headers with these links, if there are any. */
function withLinks(...links: readonly (string | undefined)[]) {
  const present = links.filter(link => link !== undefined)
  return present.length > 0 && { headers: { link: present.join(', ') } }
}
