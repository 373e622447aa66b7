import type { DatasetContext } from '../../datasets/dataset.ts'
import type { Router } from '../../http/routing/router.ts'
import { addChangesRoute } from '../changes/changes-route.ts'
import { addCountsRoute } from './counts-route.ts'
import { addListRoute } from './list-route.ts'
import { addRecordRoute } from './record-route.ts'

/** Adds the endpoints of a dataset: its list, its counts, one record, and its changes. */
export function addDatasetRoutes(router: Router, context: DatasetContext): void {
  const { counts = [], identity, recordRoute = addRecordRoute } = context.dataset
  addListRoute(router, context)
  for (const each of counts) addCountsRoute(router, context, each)
  if (identity.kind !== 'fingerprint') recordRoute(router, context)
  addChangesRoute(router, context)
}
