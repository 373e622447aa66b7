import type { Router } from '../../http/routing/router.ts'
import { addLiveStreamRoute } from '../../parking/events/live-stream.ts'
import { addOutlookRoutes } from '../../parking/routes/forecast.ts'
import { addHistoryRoutes } from '../../parking/routes/history.ts'
import { addLiveCarparkRoute } from '../../parking/routes/live-carpark.ts'
import { addLiveSpacesRoute } from '../../parking/routes/live-spaces.ts'
import type { DatasetContext } from '../dataset.ts'
import { addSingleCarparkRoute } from './single.ts'

/** The endpoints of car parks: one by itself, and everything about the live free spaces. */
export function addCarparkRoutes(router: Router, context: DatasetContext): void {
  addSingleCarparkRoute(router, context)
  addLiveSpacesRoute(router, context)
  addLiveStreamRoute(router, context)
  addLiveCarparkRoute(router, context)
  addHistoryRoutes(router, context)
  addOutlookRoutes(router, context)
}
