import type { DatasetContext } from '../../datasets/dataset.ts'
import type { Router } from '../../http/router.ts'
import { addChangesRoute } from '../changes/changes-routes.ts'
import { addCountsRoute, keyNames } from './counts-route.ts'
import { addHistoryRoute } from './history-route.ts'
import { addListRoute } from './list-route.ts'
import { addFingerprintRoute, addRecordRoute } from './record-route.ts'

/** Adds the endpoints of a dataset: its list, its counts, one record, and its changes. */
export function addDatasetRoutes(router: Router, context: DatasetContext): void {
  const { dataset } = context
  const { counts = [], list, identity, noun, recordRoute = addRecordRoute } = dataset
  addListRoute(router, context)
  for (const each of counts) addCountsRoute(router, context, each)
  if (keyNames(dataset).length > 0)
    addCountsRoute(router, context, {
      path: `${dataset.path}/stats`,
      operationId: list.operationId.replace(/^list/, 'count'),
      summary: `Number of ${noun} by fields of your choice`,
      parameters: list.parameters,
    })
  if (dataset.keptCounts !== undefined) addHistoryRoute(router, context, dataset.keptCounts)
  if (identity.kind === 'fingerprint') addFingerprintRoute(router, context, identity.field)
  else recordRoute(router, context)
  addChangesRoute(router, context)
}
