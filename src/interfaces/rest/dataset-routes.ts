import type { DatasetContext } from '../../datasets/dataset.ts'
import type { Router } from '../../http/routing/router.ts'
import { addCountsRoute } from './counts-route.ts'
import { keyNames } from './groups.ts'
import { addListRoute } from './list-route.ts'
import { addStatsRoute } from './stats-route.ts'

/** Adds the endpoints of a dataset: its list, its counts, and its custom routes. */
export function addDatasetRoutes(router: Router, context: DatasetContext): void {
  const { dataset } = context
  const { counts = [], list, routes, name, noun = name.replaceAll('-', ' ') } = dataset
  addListRoute(router, context)
  for (const { by, ...each } of counts)
    if (typeof by === 'string') addCountsRoute(router, context, { ...each, by })
    else addStatsRoute(router, context, { ...each, by })
  if (keyNames(dataset).length > 0)
    addStatsRoute(router, context, {
      path: `${dataset.path}/stats`,
      operationId: list.operationId.replace(/^list/, 'count'),
      summary: `Number of ${noun} by fields of your choice`,
      ...(list.parameters && { parameters: list.parameters }),
    })
  routes?.(router, context)
}
