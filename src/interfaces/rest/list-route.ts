import Type from 'typebox'
import type { DatasetContext } from '../../datasets/dataset.ts'
import { paged, pageFrame, pageOf, pageParameters, paginationLinks } from '../../http/request/pagination.ts'
import { describeRelease, type ReleaseInfo } from '../../http/response/representation.ts'
import { addEndpoint } from '../../http/routing/endpoint.ts'
import type { Router } from '../../http/routing/router.ts'
import type { Result } from '../../query/result.ts'
import { chain } from '../../values/maybe-promise.ts'
import { parametersOf } from './parameters-of.ts'

/** Adds the list of a dataset: complete as `{results: [...]}`, or in pages. */
export function addListRoute(router: Router, context: DatasetContext): void {
  const { dataset, pageLimitMax, vehiclesRateLimit } = context
  const { list, record, maxAge } = dataset
  const { item = record, pageLength, isRateLimited = false } = list
  const fields = list.item && { fields: Object.keys(item.properties) }
  const selected = parametersOf(context, list)
  const isExpensive = dataset.layout.kind === 'table'
  const pageRange = pageLength && pageParameters({ limit: pageLength, limitMax: pageLimitMax })
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
    problems: [...(isRateLimited ? [429] : []), ...(isExpensive ? [503] : [])],
    cacheVersion: context.release,
    expensive: isExpensive,
    ...(isRateLimited && { requestsPerHour: vehiclesRateLimit }),
    respond({ query, canonical, path }) {
      const { page = 1, limit } = query as { page?: number; limit?: number }
      const filters = selected.filters(query)
      const sort = selected.sort?.(query) ?? []
      const range = limit !== undefined && { offset: (page - 1) * limit, limit }
      const describe = (release: ReleaseInfo) => describeRelease(release, maxAge, `${path}?${canonical}`)
      const write = ({ total, json }: Result) => {
        const pagination = limit === undefined ? undefined : pageOf({ page, limit }, total)
        return {
          ...(pagination && { headers: paginationLinks(path, canonical, pagination) }),
          body: json(...(pagination ? pageFrame(pagination) : (['{"results":[', ']}'] as const))),
        }
      }
      return {
        ...describe(context.snapshot().release),
        body: () =>
          context.readSnapshot(({ release, collection }) =>
            chain(collection.execute({ filters, sort, ...fields, ...range }), result => ({
              ...describe(release),
              ...write(result),
            })),
          ),
      }
    },
  })
}
