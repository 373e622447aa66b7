import { Problem } from '../../errors.ts'
import type { Representation } from '../../http/response/representation.ts'
import type { ParkingService } from '../service.ts'
import type { ParkingContext } from './published-car-parks.ts'

/** A stale response is better than none while the feed or the service fails, but free spaces soon mislead. */
const STALE_IF_ERROR_S = 600
const MINUTE_MS = 60_000

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

/** A representation of the model, which changes with time between two observations as well. */
export const modelRepresentation = (
  context: ParkingContext,
  body: Representation['body'],
): Representation => ({
  ...liveRepresentation(context, body),
  lastModified: new Date(context.parking.now()),
})

/** The problem of a service without any observation. */
export const noReading = (parking: Pick<ParkingService, 'secondsToNext'>): Problem =>
  new Problem('DATASET_UNAVAILABLE', 'There is no reading of the live feed yet.', {
    headers: { 'retry-after': String(parking.secondsToNext()) },
  })

/** The cache version of responses that depend on the model, on the car parks, and on the second. */
export function secondVersion(context: ParkingContext): () => unknown {
  const { parking } = context
  // Without a feed, or while it is late, the seconds to the next observation do not change.
  return versionOf(() => [...state(context), parking.secondsToNext(), Math.floor(parking.now() / 1000)])
}

/** The cache version of responses that depend on the time by the minute alone. */
export function minuteVersion(context: ParkingContext): () => unknown {
  return versionOf(() => [...state(context), Math.floor(context.parking.now() / MINUTE_MS)])
}

const state = ({ parking, carParks }: ParkingContext): unknown[] => [
  parking.latest(),
  parking.version(),
  carParks.release(),
]

/** Returns the same list as long as all its parts are the same. */
function versionOf(parts: () => readonly unknown[]): () => unknown {
  let last: readonly unknown[] = []
  return () => {
    const now = parts()
    if (now.length !== last.length || now.some((part, place) => part !== last[place])) last = now
    return last
  }
}
