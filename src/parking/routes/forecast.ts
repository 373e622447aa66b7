import type { TSchema } from 'typebox'
import { addEndpoint } from '../../http/endpoint.ts'
import { serialiser } from '../../http/representation.ts'
import type { Router } from '../../http/router.ts'
import { CarparkForecast, CarparkTypicalWeek } from '../forecast/forecast.ts'
import type { ParkingModel } from '../model.ts'
import {
  feedCarPark,
  minuteVersion,
  modelRepresentation,
  OF_ONE_CARPARK,
  type ParkingContext,
  requireHistory,
} from './parking-context.ts'

/** GET /v1/carparks/{id or code}/forecast and /typical. */
export function addForecastRoutes(router: Router, context: ParkingContext): void {
  const { parking } = context
  const shared = {
    ...OF_ONE_CARPARK,
    parameters: {},
    cacheVersion: minuteVersion(context),
  }
  const ofCarPark = (response: TSchema, describe: (model: ParkingModel, code: string) => object) => {
    const render = serialiser(response)
    return {
      response,
      respond({ params }: { params: Readonly<Record<string, string>> }) {
        requireHistory(context)
        const carPark = feedCarPark(context, params)
        const body = render({ ...carPark, ...describe(parking.model(), carPark.code) })
        return modelRepresentation(context, body)
      },
    }
  }
  addEndpoint(router, {
    ...shared,
    path: '/v1/carparks/:idOrCode/forecast',
    operationId: 'getCarparkForecast',
    summary: 'Free spaces in the next two hours',
    description:
      'Expected free spaces a quarter, a half, one and two hours ahead, learned from the last twelve weeks of this car park, with the range that four forecasts in five stay within, the chance of at least ten free spaces, and the measured error of such forecasts beside that of the persistence forecast (no change). If the count cannot be trusted or there is too little data, there is no forecast and no chance, and `reason` says why.',
    ...ofCarPark(CarparkForecast, (model, code) => model.forecast(code)),
  })
  addEndpoint(router, {
    ...shared,
    path: '/v1/carparks/:idOrCode/typical',
    operationId: 'getCarparkTypicalWeek',
    summary: 'Free spaces in a typical week',
    description:
      'The 10th, 50th and 90th percentile of free spaces for each weekday and quarter of an hour over the last twelve weeks; bank holidays are a separate kind of day. Readings that cannot be trusted are left out.',
    ...ofCarPark(CarparkTypicalWeek, (model, code) => model.typical(code)),
  })
}
