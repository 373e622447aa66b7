import type { DatasetContext } from '../../datasets/dataset.ts'
import type { Router } from '../../http/router.ts'
import type { ParkingService } from '../service.ts'
import { addForecastRoutes } from './forecast.ts'
import { addHistoryRoutes } from './history.ts'
import { addLiveCarparkRoute, addLiveSpacesRoute } from './live.ts'
import { addLiveStreamRoute } from './live-stream.ts'

/** Adds the endpoints of live parking under those of the car parks. */
export function addParkingRoutes(router: Router, parking: ParkingService, carParks: DatasetContext): void {
  const context = { parking, carParks }
  addLiveSpacesRoute(router, context)
  addLiveStreamRoute(router, context)
  addLiveCarparkRoute(router, context)
  addHistoryRoutes(router, context)
  addForecastRoutes(router, context)
}
