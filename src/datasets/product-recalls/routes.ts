import { paged, pageOf, pageParameters, paginationLinks } from '../../http/request/pagination.ts'
import { fromRelease } from '../../http/response/representation.ts'
import { serialiser } from '../../http/response/serialiser.ts'
import { addEndpoint } from '../../http/routing/endpoint.ts'
import type { Router } from '../../http/routing/router.ts'
import type { DatasetContext } from '../dataset.ts'
import { ProductRecall } from './schema.ts'

const DEFAULT_LIMIT = 50

/** GET /v1/product-recalls (spec 4.1). */
export function addRecallRoutes(router: Router, context: DatasetContext): void {
  const response = paged(ProductRecall)
  const render = serialiser(response)
  addEndpoint(router, {
    path: context.dataset.path,
    operationId: 'listProductRecalls',
    tag: context.dataset.name,
    summary: 'Product recalls, a page at a time',
    parameters: pageParameters({ limit: DEFAULT_LIMIT, limitMax: context.pageLimitMax }),
    response,
    cacheVersion: context.release,
    respond: ({ query, canonical, path }) => {
      const snapshot = context.snapshot()
      const pagination = pageOf(query, snapshot.records.length)
      const from = (query.page - 1) * query.limit
      return fromRelease(snapshot.release, context.dataset.maxAge, {
        key: canonical,
        headers: paginationLinks(path, canonical, pagination),
        body: render({ pagination, results: snapshot.records.slice(from, from + query.limit) }),
      })
    },
  })
}
