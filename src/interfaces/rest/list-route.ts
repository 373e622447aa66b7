import Type from 'typebox'
import { type DatasetContext, shownFields } from '../../datasets/dataset.ts'
import { formatsFor } from '../../formats/formats.ts'
import { describeRelease, type ReleaseInfo } from '../../http/response/representation.ts'
import { addEndpoint } from '../../http/routing/endpoint.ts'
import type { Router } from '../../http/routing/router.ts'
import { chain } from '../../values/promises.ts'
import { feedHeader, feedOf } from '../feeds/feed-links.ts'
import { type Pagination, paged, pageFrame, pageOf, pageParameters, paginationLinks } from './pagination.ts'
import { parametersOf } from './parameters-of.ts'
import { LONGEST_BUFFERED_PAGE, streamPage } from './streamed-page.ts'

/** Adds the list of a dataset: complete as `{results: [...]}`, or in pages; long pages and other formats are streamed. */
export function addListRoute(router: Router, context: DatasetContext): void {
  const { dataset, pageLimitMax, vehiclesRateLimit } = context
  const { list, record, maxAge } = dataset
  const { item = record, pageLength, isRateLimited = false } = list
  const shown = shownFields(dataset)
  const fields = shown && { fields: shown }
  const feed = feedOf(dataset)
  const selected = parametersOf(context, list)
  const isExpensive = dataset.layout.kind === 'table'
  const pageRange = pageLength && pageParameters({ limit: pageLength, limitMax: pageLimitMax })
  const formats = formatsFor(context.formats, item)
  addEndpoint(router, {
    path: dataset.path,
    operationId: list.operationId,
    tag: dataset.name,
    summary: list.summary,
    ...(list.description !== undefined && { description: list.description }),
    parameters: { ...pageRange, ...selected.parameters },
    response: pageLength
      ? paged(item)
      : Type.Object({ results: Type.Array(item, { description: 'Every entry.' }) }),
    formats,
    problems: [...(isRateLimited ? [429] : []), ...(isExpensive ? [503] : [])],
    cacheVersion: context.release,
    expensive: isExpensive,
    ...(isRateLimited && { requestsPerHour: vehiclesRateLimit }),
    respond({ query: values, canonical, path, format }) {
      const { page = 1, limit } = values as { page?: number; limit?: number }
      const query = {
        filters: selected.filters(values),
        sort: selected.sort?.(values) ?? [],
        ...fields,
        ...(limit !== undefined && { offset: (page - 1) * limit, limit }),
      }
      const describe = (release: ReleaseInfo) => describeRelease(release, maxAge, `${path}?${canonical}`)
      /** The release that was read, and the links from its page to others. */
      const describePage = (release: ReleaseInfo, pagination: Pagination | undefined) => ({
        ...describe(release),
        ...withLinks(
          pagination && paginationLinks(path, canonical, pagination).link,
          feed && feedHeader(feed),
        ),
      })
      const pageIn = (total: number) => (limit === undefined ? undefined : pageOf({ page, limit }, total))
      const written = formats.find(({ name }) => name === format)
      const body = () =>
        context.readSnapshot(({ release, collection }) =>
          chain(collection.execute(query), ({ total, json }) => {
            const pagination = pageIn(total)
            return { ...describePage(release, pagination), body: json(...frameOf(pagination)) }
          }),
        )
      const open = () =>
        context.streamSnapshot(({ release, collection }) =>
          chain(collection.execute(query), ({ total, batches }) => {
            const pagination = pageIn(total)
            return {
              ...describePage(release, pagination),
              chunks: written?.write(batches(), item) ?? streamPage(batches(), frameOf(pagination)),
            }
          }),
        )
      const isLong = limit !== undefined && limit > LONGEST_BUFFERED_PAGE
      return {
        ...describe(context.snapshot().release),
        body: written === undefined && !isLong ? body : { open },
      }
    },
  })
}

/** The JSON before and after the entries. */
const frameOf = (pagination: Pagination | undefined) =>
  pagination ? pageFrame(pagination) : (['{"results":[', ']}'] as const)

/** The headers with these links, if there are any. */
function withLinks(...links: readonly (string | undefined)[]) {
  const present = links.filter(link => link !== undefined)
  return present.length > 0 && { headers: { link: present.join(', ') } }
}
