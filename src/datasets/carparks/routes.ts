import type { FastifyInstance } from 'fastify'
import { addLiveStreamRoute } from '../../parking/events/live-stream.ts'
import { addOutlookRoutes } from '../../parking/routes/forecast.ts'
import { addHistoryRoutes } from '../../parking/routes/history.ts'
import { addLiveCarparkRoute } from '../../parking/routes/live-carpark.ts'
import { addLiveSpacesRoute } from '../../parking/routes/live-spaces.ts'
import type { DatasetContext } from '../dataset.ts'
import { wholeList } from '../whole-list.ts'
import { CarparkInList } from './schema.ts'
import { addSingleCarparkRoute } from './single.ts'

/** The endpoints of car parks: the list, one by itself, and everything about the live free spaces. */
export function addCarparkRoutes(app: FastifyInstance, context: DatasetContext): void {
  wholeList({ operationId: 'listCarparks', summary: 'All car parks', item: CarparkInList })(app, context)
  addSingleCarparkRoute(app, context)
  addLiveSpacesRoute(app, context)
  addLiveStreamRoute(app, context)
  addLiveCarparkRoute(app, context)
  addHistoryRoutes(app, context)
  addOutlookRoutes(app, context)
}
