import Type from 'typebox'
import { carparksByIdOrCode } from '../../datasets/carparks/lookup.ts'
import type { DatasetContext } from '../../datasets/dataset.ts'
import { notFound, Problem } from '../../errors.ts'
import type { Representation } from '../../http/representation.ts'
import type { Route, Router } from '../../http/router.ts'
import { chain } from '../../values/promises.ts'
import { nearestAbbreviation } from '../../values/text.ts'
import { MINUTE_MS } from '../../values/time-units.ts'
import type { FeedCarPark } from '../model.ts'
import type { ParkingService } from '../service.ts'

/** The objects that the routes of live parking share. */
export interface ParkingContext {
  readonly parking: ParkingService
  /** The published car parks. */
  readonly carParks: DatasetContext
}

/** The tag of the routes of live parking: that of the car parks. */
export const TAG = 'carparks'

/** The variable part of the path of everything about one car park of the feed. */
const idOrCode = Type.Object({
  idOrCode: Type.String({
    description:
      "The car park's id (UUID), its live tracking code, or the code of an entry of the feed; case does not matter.",
    examples: ['GREENST'],
  }),
})

/** The part that the endpoints about one car park of the feed share. */
export const OF_ONE_CARPARK = { tag: TAG, params: idOrCode, ignoresCase: true, problems: [404, 414, 503] }

/** A router whose requests wait while live parking starts. The service listens before, since other requests need no parking. */
export function afterStart(router: Router, { started }: Pick<ParkingService, 'started'>): Router {
  function add(route: Route): void {
    const handle: Route['handle'] = request => chain(started(), () => route.handle(request))
    router.add({ ...route, handle })
  }
  return { ...router, add }
}

/** Retry-After while the history is read, in seconds: that mostly takes less. */
const HISTORY_RETRY_AFTER_S = 3

/** Throws the problem DATASET_UNAVAILABLE where car parks are out of service, and until the history has been read. */
export function requireHistory({ parking, carParks }: ParkingContext): void {
  carParks.requireInService()
  if (parking.hasReadHistory()) return
  throw new Problem(
    'DATASET_UNAVAILABLE',
    'The service has just started and has not read the past counts of the car parks yet.',
    { retryAfterS: HISTORY_RETRY_AFTER_S },
  )
}

/**
 * The car parks that the feed counts or counted, by code. Throws the problem DATASET_UNAVAILABLE where neither the feed
 * nor a release has any, and as {@link requireHistory} does.
 */
export function feedCarParks(context: ParkingContext): readonly FeedCarPark[] {
  const { parking, carParks } = context
  requireHistory(context)
  const found = parking.model().carParks()
  if (found.length === 0) carParks.snapshot()
  return found
}

/** The car park of the feed with this id or code. Throws the problem NOT_FOUND, also where the feed does not count it. */
export function feedCarPark(
  context: ParkingContext,
  { idOrCode = '' }: Readonly<Record<string, string>>,
): FeedCarPark {
  const snapshot = context.carParks.snapshotIfAny()
  const record = snapshot && carparksByIdOrCode(snapshot).get(idOrCode.toLowerCase())
  const code = record === undefined ? idOrCode : record.liveTrackingCode
  if (typeof code === 'string') {
    const found = context.parking.model().carPark(code)
    if (found !== undefined) return found
    if (record !== undefined) return { code, name: String(record.name) }
  }
  const codes = feedCarParks(context).map(other => other.code)
  const detail =
    record === undefined
      ? 'No car park in the live feed has this id or code.'
      : 'The live feed does not cover this car park.'
  throw notFound(detail, {
    parameter: 'idOrCode',
    value: idOrCode,
    detail: 'is not the id or the code of a car park in the live feed',
    allowed: codes.length === 0 ? 'none: the feed has no car parks yet' : `one of ${codes.join(', ')}`,
    nearest: record === undefined ? nearestAbbreviation(idOrCode, codes) : undefined,
  })
}

/** A stale response is better than none while the feed or the service fails, but free spaces soon mislead. */
const STALE_IF_ERROR_S = 600

/** A representation of the feed's last observation, valid until the next one is due. */
export function liveRepresentation(
  { parking, carParks }: ParkingContext,
  body: Representation['body'],
): Representation {
  const release = carParks.release()
  const times = [parking.latest()?.timestamp, release?.currentSince].flatMap(time => time ?? [])
  return {
    lastModified: new Date(times.sort().at(-1) ?? parking.now()),
    maxAge: parking.secondsToNext(),
    staleIfError: STALE_IF_ERROR_S,
    synthetic: parking.synthetic || release?.synthetic === true,
    body,
  }
}

/**
 * A representation of the model, which changes with time between two observations as well. Until the history is read it
 * changes within seconds, so nobody may keep it.
 */
export const modelRepresentation = (
  context: ParkingContext,
  body: Representation['body'],
): Representation => ({
  ...liveRepresentation(context, body),
  lastModified: new Date(context.parking.now()),
  isUnkept: !context.parking.hasReadHistory(),
})

/** The problem of a service without any observation. */
export const noReading = (parking: Pick<ParkingService, 'secondsToNext' | 'health'>): Problem =>
  new Problem(
    'DATASET_UNAVAILABLE',
    parking.health().polling
      ? 'There is no reading from the live feed yet.'
      : 'This service has no live feed, so the spaces of car parks are not counted.',
    { retryAfterS: parking.secondsToNext() },
  )

/** The cache version of responses that depend on the model, on the car parks, and on the second. */
export const secondVersion = (context: ParkingContext) =>
  // Without a feed, or while it is late, the seconds to the next observation do not change.
  versionOf(context, ({ secondsToNext, now }) => [secondsToNext(), Math.floor(now() / 1000)])

/** The cache version of responses that depend on the time by the minute alone. */
export const minuteVersion = (context: ParkingContext) =>
  versionOf(context, ({ now }) => [Math.floor(now() / MINUTE_MS)])

/** Returns the same text as long as the model, the car parks and the times are the same. */
const versionOf =
  ({ parking, carParks }: ParkingContext, times: (parking: ParkingService) => readonly number[]) =>
  (): string => {
    const { number, currentSince } = carParks.release() ?? {}
    return [parking.version(), number, currentSince, ...times(parking)].join()
  }
