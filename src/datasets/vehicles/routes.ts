import type { FastifyInstance } from 'fastify'
import type { DatasetContext } from '../dataset.ts'
import { addCountRoutes } from './counts.ts'
import { addVehicleListRoute } from './list.ts'

/** The endpoints of the register: the list, and counts by make and by colour. */
export function addVehicleRoutes(app: FastifyInstance, context: DatasetContext): void {
  addVehicleListRoute(app, context)
  addCountRoutes(app, context)
}
