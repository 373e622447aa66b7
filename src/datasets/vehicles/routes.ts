import type { Router } from '../../http/routing/router.ts'
import type { DatasetContext } from '../dataset.ts'
import { addCountRoutes } from './counts.ts'
import { addVehicleListRoute } from './list.ts'

/** The endpoints of the register: the list, and counts by make and by colour. */
export function addVehicleRoutes(router: Router, context: DatasetContext): void {
  addVehicleListRoute(router, context)
  addCountRoutes(router, context)
}
