import Type from 'typebox'
import { fromRelease } from '../../http/response/representation.ts'
import { addEndpoint } from '../../http/routing/endpoint.ts'
import type { Router } from '../../http/routing/router.ts'
import type { Group } from '../../query/result.ts'
import { chain } from '../../values/maybe-promise.ts'
import { memoise } from '../../values/memoise.ts'
import type { DatasetContext } from '../dataset.ts'
import { dateFilters, dateParameters } from './filters.ts'
import { registerOf } from './register.ts'

/** GET /v1/vehicles/makes and /v1/vehicles/stats/colors (spec 4.3, 4.4), each at both of its addresses. */
export function addCountRoutes(router: Router, context: DatasetContext): void {
  addCounts(router, context, {
    column: 'make',
    path: '/v1/vehicles/makes',
    alias: '/v1/vehicles/stats/makes',
    operationId: 'countVehiclesByMake',
    summary: 'Number of vehicles of each make',
  })
  addCounts(router, context, {
    column: 'color',
    path: '/v1/vehicles/stats/colors',
    alias: '/v1/vehicles/colors',
    operationId: 'countVehiclesByColor',
    summary: 'Number of vehicles of each colour',
  })
}

interface Counts {
  readonly column: 'make' | 'color'
  readonly path: string
  readonly alias: string
  readonly operationId: string
  readonly summary: string
}

function addCounts(router: Router, context: DatasetContext, counts: Counts): void {
  const { column, ...endpoint } = counts
  addEndpoint(router, {
    ...endpoint,
    tag: context.dataset.name,
    parameters: dateParameters,
    response: countsResponse(column),
    problems: [503],
    cacheVersion: context.release,
    expensive: true,
    respond: ({ query, canonical }) =>
      context.readSnapshot(snapshot =>
        chain(registerOf(snapshot).count({ by: [column], filters: dateFilters(query) }), found =>
          fromRelease(snapshot.release, context.dataset.maxAge, {
            key: `${counts.path}?${canonical}`,
            body: renderCounts(found),
          }),
        ),
      ),
  })
}

const countsResponse = (column: string) =>
  Type.Object({
    results: Type.Record(Type.String(), Type.Integer({ minimum: 1 }), {
      description: `Count by ${column}, in descending order of count, ties by name.`,
    }),
  })

/** Written by hand: an object would move integer-like names to the front and lose `__proto__`. */
function renderCounts(counts: readonly Group[]): Buffer {
  let members = ''
  for (const [name, count] of counts) members += `${members && ','}${quoted(String(name))}:${count}`
  return Buffer.from(`{"results":{${members}}}`)
}

const quoted = memoise(name => JSON.stringify(name))
