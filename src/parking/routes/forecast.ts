import { serialiser } from '../../http/response/serialiser.ts'
import { addEndpoint } from '../../http/routing/endpoint.ts'
import type { Router } from '../../http/routing/router.ts'
import { DAY_MS } from '../../values/time-units.ts'
import {
  CarparkForecast,
  CarparkTypicalWeek,
  type Forecast,
  isUnsupported,
  type TypicalWeek,
  type Unsupported,
} from '../forecast/forecast.ts'
import {
  feedCarPark,
  idOrCode,
  minuteVersion,
  modelRepresentation,
  type ParkingContext,
  requireHistory,
  TAG,
} from './parking-context.ts'

/** GET /v1/carparks/{id or code}/forecast and /typical. */
export function addForecastRoutes(router: Router, context: ParkingContext): void {
  const { parking } = context
  const shared = {
    tag: TAG,
    parameters: {},
    params: idOrCode,
    ignoresCase: true,
    problems: [404, 414, 503],
    cacheVersion: minuteVersion(context),
  }
  const respond =
    (render: (body: object) => Buffer, describe: (code: string) => object) =>
    ({ params }: { params: Readonly<Record<string, string>> }) => {
      requireHistory(context)
      const { code, name } = feedCarPark(context, params)
      return modelRepresentation(context, render({ code, name, ...describe(code) }))
    }
  addEndpoint(router, {
    ...shared,
    path: '/v1/carparks/:idOrCode/forecast',
    operationId: 'getCarparkForecast',
    summary: 'Free spaces in the next two hours',
    description:
      'Expected free spaces a quarter, a half, one and two hours ahead, learned from the last twelve weeks of this car park, with the range that four forecasts in five stay within, and the measured error of such forecasts beside that of the persistence forecast (no change). If the count cannot be trusted or there is too little data, there is no forecast, and `reason` says why.',
    response: CarparkForecast,
    respond: respond(serialiser(CarparkForecast), code => describeForecast(parking.model().forecast(code))),
  })
  addEndpoint(router, {
    ...shared,
    path: '/v1/carparks/:idOrCode/typical',
    operationId: 'getCarparkTypicalWeek',
    summary: 'Free spaces in a typical week',
    description:
      'The 10th, 50th and 90th percentile of free spaces for each weekday and quarter of an hour over the last twelve weeks; bank holidays are a separate kind of day. Readings that cannot be trusted are left out.',
    response: CarparkTypicalWeek,
    respond: respond(serialiser(CarparkTypicalWeek), code =>
      describeTypicalWeek(parking.model().typical(code)),
    ),
  })
}

function describeForecast(forecast: Forecast | Unsupported) {
  if (isUnsupported(forecast)) return { from: null, results: [], ...forecast }
  const { from, entries } = forecast
  return { from: new Date(from).toISOString(), results: entries, reason: null, detail: null }
}

function describeTypicalWeek(week: TypicalWeek | Unsupported) {
  if (isUnsupported(week)) return { from: null, to: null, results: [], ...week }
  const { firstDay, lastDay, days } = week
  return { from: date(firstDay), to: date(lastDay), results: days, reason: null, detail: null }
}

const date = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10)
