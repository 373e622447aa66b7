import { paged, pageFrame, pageOf, pageParameters, paginationLinks } from '../../http/request/pagination.ts'
import { fromRelease } from '../../http/response/representation.ts'
import { addEndpoint } from '../../http/routing/endpoint.ts'
import type { Router } from '../../http/routing/router.ts'
import type { Result } from '../../query/result.ts'
import { chain } from '../../values/maybe-promise.ts'
import type { DatasetContext } from '../dataset.ts'
import { filterParameters, vehicleFilters } from './filters.ts'
import { knownFuelType } from './fuel-type.ts'
import { registerOf } from './register.ts'
import { Vehicle } from './schema.ts'

const DEFAULT_LIMIT = 30

/** GET /v1/vehicles (spec 4.2). */
export function addVehicleListRoute(router: Router, context: DatasetContext): void {
  const response = paged(Vehicle)
  addEndpoint(router, {
    path: context.dataset.path,
    operationId: 'listVehicles',
    tag: context.dataset.name,
    summary: 'Registered vehicles, filtered, a page at a time',
    description:
      'Newest registration on the island first; vehicles without that date last. Totals are exact, and the order is total: going through the pages meets every vehicle once.',
    parameters: {
      ...pageParameters({ limit: DEFAULT_LIMIT, limitMax: context.pageLimitMax }),
      ...filterParameters,
    },
    response,
    problems: [429, 503],
    cacheVersion: context.release,
    expensive: true,
    requestsPerHour: context.vehiclesRateLimit,
    respond: ({ query, canonical, path }) =>
      context.readSnapshot(snapshot => {
        const represent = ({ total, json }: Result) => {
          const pagination = pageOf(query, total)
          return fromRelease(snapshot.release, context.dataset.maxAge, {
            key: `${path}?${canonical}`,
            headers: paginationLinks(path, canonical, pagination),
            body: json(...pageFrame(pagination)),
          })
        }
        const page = chain(knownFuelType(query.fuelType, snapshot), fuelType =>
          registerOf(snapshot).execute({
            filters: vehicleFilters({ ...query, fuelType }),
            offset: (query.page - 1) * query.limit,
            limit: query.limit,
          }),
        )
        return chain(page, represent)
      }),
  })
}
