import type { FastifyInstance } from 'fastify'
import type { DatasetContext } from '../dataset.ts'
import { wholeList } from '../whole-list.ts'
import { addLiveSpacesRoute } from './live-spaces.ts'
import { CarparkInList } from './schema.ts'
import { addSingleCarparkRoute } from './single.ts'

/** The endpoints of car parks: the list, one by itself, and the live free spaces. */
export function addCarparkRoutes(app: FastifyInstance, context: DatasetContext): void {
  wholeList({ operationId: 'listCarparks', summary: 'All car parks', item: CarparkInList })(app, context)
  addSingleCarparkRoute(app, context)
  addLiveSpacesRoute(app, context)
}
