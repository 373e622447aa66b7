import { carparksByIdOrCode } from '../../datasets/carparks/lookup.ts'
import { addEndpoint } from '../../http/endpoint.ts'
import { serialiser } from '../../http/representation.ts'
import type { Router } from '../../http/router.ts'
import { flag, listOf, oneOf } from '../../values/values.ts'
import { LiveCarpark, LiveSpaces } from '../live-schema.ts'
import { describeAssessmentAt } from '../quality/quality.ts'
import type { ParkingService } from '../service.ts'
import {
  feedCarPark,
  liveRepresentation,
  modelRepresentation,
  noReading,
  OF_ONE_CARPARK,
  type ParkingContext,
  secondVersion,
  TAG,
} from './parking-context.ts'

const PARAMETERS = {
  includeCarparkInfo: {
    type: flag(),
    default: false,
    description: 'Adds `carparkInfo` to each entry: the car park itself, or null where none has the code.',
  },
  include: {
    type: listOf(oneOf(['quality', 'forecast'])),
    description:
      '`quality` adds to each entry the quality of its count, checked against the car park’s own past, and `missing`: the car parks that should be in the list but are not. `forecast` adds the free spaces expected in the next two hours.',
  },
}

/** GET /v1/carparks/live-spaces (spec 4.5). */
export function addLiveSpacesRoute(router: Router, context: ParkingContext): void {
  const { parking, carParks } = context
  const render = serialiser(LiveSpaces)
  addEndpoint(router, {
    path: '/v1/carparks/live-spaces',
    operationId: 'listLiveSpaces',
    tag: TAG,
    summary: 'Free spaces now',
    description:
      'The last reading of the live feed. While the feed fails the last good one is served with its own timestamp: compare it with your clock, or use `include=quality`.',
    parameters: PARAMETERS,
    response: LiveSpaces,
    problems: [503],
    cacheVersion: secondVersion(context),
    respond({ query: { include = [], includeCarparkInfo } }) {
      carParks.requireInService()
      const observation = parking.latest()
      if (observation === undefined) throw noReading(parking)
      const records = includeCarparkInfo ? carparksByIdOrCode(carParks.snapshot()) : undefined
      const withQuality = include.includes('quality')
      const results = observation.entries.map(entry => ({
        ...entry,
        ...(withQuality && checked(entry.code, parking)),
        forecast: include.includes('forecast') ? forecastOf(entry.code, parking) : undefined,
        carparkInfo: records && (records.get(entry.code.toLowerCase()) ?? null),
      }))
      const missing = withQuality ? missingFrom(parking) : undefined
      const body = render({ results, missing, timestamp: observation.timestamp })
      return include.length > 0 ? modelRepresentation(context, body) : liveRepresentation(context, body)
    },
  })
}

const checked = (code: string, parking: ParkingService) => ({
  ...describeAssessmentAt(parking.model().quality(code), parking.now()),
  trend: parking.model().trend(code),
})

/** The forecast; none before the history has been read, since it is learned from that. */
const forecastOf = (code: string, parking: ParkingService) =>
  parking.hasReadHistory() ? parking.model().forecast(code).results : []

/** Car parks with a code that the feed has not listed, lists no longer, or lists without a usable count. */
function missingFrom(parking: ParkingService) {
  const { qualities, listed, carPark } = parking.model()
  return [...qualities()]
    .filter(([code]) => !('spaces' in (listed(code) ?? {})))
    .map(([code, assessment]) => {
      const named = carPark(code) ?? { code, name: null }
      return { ...named, ...describeAssessmentAt(assessment, parking.now()) }
    })
}

/** GET /v1/carparks/{id or code}/live: one car park's count and its quality. */
export function addLiveCarparkRoute(router: Router, context: ParkingContext): void {
  const { parking, carParks } = context
  const render = serialiser(LiveCarpark)
  addEndpoint(router, {
    ...OF_ONE_CARPARK,
    path: '/v1/carparks/:idOrCode/live',
    operationId: 'getLiveCarpark',
    summary: 'Free spaces now, one car park',
    description:
      'The last count of one car park and its quality, checked against its own past. A car park that the feed does not list now has quality `missing`; one that it lists without a usable count has no `spaces`.',
    parameters: {},
    response: LiveCarpark,
    cacheVersion: secondVersion(context),
    respond({ params }) {
      carParks.requireInService()
      const { code, name } = feedCarPark(context, params)
      const none = { code, name, spaces: null, status: null, open: null }
      const body = render({ ...none, ...parking.model().listed(code), ...checked(code, parking) })
      return modelRepresentation(context, body)
    },
  })
}
