import type { DatasetContext } from '../../datasets/dataset.ts'
import type { Router } from '../../http/routing/router.ts'
import { addChangesRoute } from '../changes/changes-route.ts'
import { addCountsRoute } from './counts-route.ts'
import { addListRoute } from './list-route.ts'

/** Adds the endpoints of a dataset: its list, its counts, its changes, and its custom routes. */
export function addDatasetRoutes(router: Router, context: DatasetContext): void {
  const { counts = [], routes } = context.dataset
  addListRoute(router, context)
  for (const each of counts) addCountsRoute(router, context, each)
  addChangesRoute(router, context)
  routes?.(router, context)
}
