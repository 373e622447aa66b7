import type { FastifyInstance } from 'fastify'
import { addEndpoint } from '../../http/endpoint.ts'
import { paged, pageOf, pageParameters, paginationLinks, renderPage } from '../../http/pagination.ts'
import { limitRate } from '../../http/rate-limit.ts'
import { fromRelease } from '../../http/representation.ts'
import type { DatasetContext } from '../dataset.ts'
import { filterParameters, vehicleFilters } from './filters.ts'
import { knownFuelType } from './fuel-type.ts'
import { registerOf } from './register.ts'
import { Vehicle } from './schema.ts'

const DEFAULT_LIMIT = 30

/** GET /v1/vehicles (spec 4.2). */
export function addVehicleListRoute(app: FastifyInstance, context: DatasetContext): void {
  const response = paged(Vehicle)
  addEndpoint(app, {
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
    version: context.release,
    costly: true,
    onRequest: limitRate(app, { perHour: context.vehiclesRateLimit }),
    answer: async ({ query, canonical, path }) => {
      const snapshot = context.snapshot()
      const register = registerOf(snapshot)
      const fuelType = await knownFuelType(query.fuelType, snapshot)
      const filters = vehicleFilters({ ...query, fuelType })
      const { total, json } = await register.page(filters, (query.page - 1) * query.limit, query.limit)
      const pagination = pageOf(query, total)
      return fromRelease(snapshot.release, context.dataset.maxAge, {
        key: `${context.dataset.path}?${canonical}`,
        headers: paginationLinks(path, canonical, pagination),
        body: renderPage(pagination, json),
      })
    },
  })
}
