import type { Router } from '../../http/routing/router.ts'
import { addLiveStreamRoute } from '../events/live-stream.ts'
import type { ParkingService } from '../service.ts'
import { addForecastRoutes } from './forecast.ts'
import { addHistoryRoutes } from './history.ts'
import { addLiveCarparkRoute, addLiveSpacesRoute } from './live.ts'
import type { PublishedCarParks } from './parking-context.ts'

/** Adds the endpoints of live parking under those of the car parks. */
export function addParkingRoutes(router: Router, parking: ParkingService, carParks: PublishedCarParks): void {
  const context = { parking, carParks }
  addLiveSpacesRoute(router, context)
  addLiveStreamRoute(router, context)
  addLiveCarparkRoute(router, context)
  addHistoryRoutes(router, context)
  addForecastRoutes(router, context)
}
