import type { DatasetContext } from '../../datasets/dataset.ts'
import { serialiser } from '../../http/response/serialiser.ts'
import { addEndpoint } from '../../http/routing/endpoint.ts'
import type { Router } from '../../http/routing/router.ts'
import { type Forecast, isUnsupported, type Unsupported } from '../forecast/forecast.ts'
import type { TypicalDay, TypicalWeek as Week } from '../forecast/typical-week.ts'
import { countedCarpark, idOrCode } from './counted.ts'
import { CarparkForecast, TypicalWeek } from './forecast-schema.ts'
import { judgedRepresentation, minuteVersion } from './live-representation.ts'

const DAY_MS = 86_400_000

/** GET /v1/carparks/{id or code}/forecast and /typical: what the next hours will likely bring, and what a week is like. */
export function addOutlookRoutes(router: Router, context: DatasetContext): void {
  const shared = {
    tag: context.dataset.name,
    parameters: {},
    params: idOrCode,
    problems: [404, 414, 503],
    cacheVersion: minuteVersion(context),
  }
  const renderForecast = serialiser(CarparkForecast)
  addEndpoint(router, {
    ...shared,
    path: '/v1/carparks/:idOrCode/forecast',
    operationId: 'getCarparkForecast',
    summary: 'Free spaces in the next two hours',
    description:
      'What a quarter, a half, one and two hours ahead will likely bring, learned from the last twelve weeks of this car park, with an interval and the measured error of such forecasts beside that of "it stays as it is now". Where the count cannot be trusted or too little is known there is none, and `reason` says why.',
    response: CarparkForecast,
    respond({ params }) {
      context.requireInService()
      const { code, name } = countedCarpark(context, params.idOrCode ?? '')
      const body = renderForecast({ code, name, ...describeForecast(context.watch.forecast(code)) })
      return judgedRepresentation(context, body)
    },
  })
  const renderTypical = serialiser(TypicalWeek)
  addEndpoint(router, {
    ...shared,
    path: '/v1/carparks/:idOrCode/typical',
    operationId: 'getCarparkTypicalWeek',
    summary: 'Free spaces in a typical week',
    description:
      'The 10th, 50th and 90th percentile of free spaces for each weekday and quarter of an hour over the last twelve weeks; bank holidays are a kind of day of their own. Readings that cannot be trusted are left out.',
    response: TypicalWeek,
    respond({ params }) {
      context.requireInService()
      const { code, name } = countedCarpark(context, params.idOrCode ?? '')
      const body = renderTypical({ code, name, ...describeTypical(context.watch.typical(code)) })
      return judgedRepresentation(context, body)
    },
  })
}

function describeForecast(forecast: Forecast | Unsupported) {
  if (isUnsupported(forecast)) return { from: null, results: [], ...forecast }
  const results = forecast.entries.map(({ at, error, ...entry }) => ({
    ...entry,
    at: new Date(at).toISOString(),
    error: error && {
      meanAbsolute: rounded(error.meanAbsolute),
      meanAbsoluteAsNow: rounded(error.meanAbsoluteAsNow),
      coverage: rounded(error.coverage),
      count: error.count,
    },
  }))
  return { from: new Date(forecast.from).toISOString(), results, reason: null, detail: null }
}

function describeTypical(week: Week | Unsupported) {
  if (isUnsupported(week)) return { from: null, to: null, results: [], ...week }
  const results = week.days.map(({ kind, days, quarters }) => ({
    day: kind,
    days,
    quarters: quarters.map(describeQuarter),
  }))
  return { from: date(week.firstDay), to: date(week.lastDay), results, reason: null, detail: null }
}

function describeQuarter(quarter: TypicalDay['quarters'][number], place: number) {
  const time = new Date(place * 900_000).toISOString().slice(11, 16)
  if (quarter === null) return { time, p10: null, p50: null, p90: null, days: 0 }
  const { p10, p50, p90, days } = quarter
  return { time, p10: Math.round(p10), p50: Math.round(p50), p90: Math.round(p90), days }
}

const rounded = (value: number): number => Math.round(value * 100) / 100

const date = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10)
