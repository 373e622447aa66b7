import Type from 'typebox'
import { Problem } from '../../errors.ts'
import type { StoredRecord } from '../../query/query.ts'
import { nearest } from '../../values/nearest.ts'
import type { FeedCarPark } from '../model.ts'
import type { ParkingContext } from './published-car-parks.ts'

/** The variable part of the path of everything about one car park of the feed. */
export const idOrCode = Type.Object({
  idOrCode: Type.String({
    description:
      "The car park's id (UUID), its live tracking code, or the code of an entry of the feed; upper and lower case are the same.",
    examples: ['GREENST'],
  }),
})

/**
 * The car parks that the feed counts or counted, by code. Throws the problem DATASET_UNAVAILABLE where neither the feed
 * nor a release has any.
 */
export function feedCarParks({ parking, carParks }: ParkingContext): readonly FeedCarPark[] {
  const found = parking.carParks()
  if (found.length === 0) carParks.requireRecords()
  return found
}

/** The car park of the feed with this id or code. Throws the problem NOT_FOUND, also where the feed does not count it. */
export function feedCarPark(context: ParkingContext, idOrCode: string): FeedCarPark {
  const record = context.carParks.records()?.get(idOrCode.toLowerCase())
  const code = record === undefined ? idOrCode : record.liveTrackingCode
  const all = feedCarParks(context)
  const found = typeof code === 'string' && all.find(other => other.code.toUpperCase() === code.toUpperCase())
  if (found) return found
  if (record !== undefined && typeof code === 'string') return { code, name: String(record.name) }
  throw notCounted(idOrCode, record, all)
}

function notCounted(
  idOrCode: string,
  record: StoredRecord | undefined,
  all: readonly FeedCarPark[],
): Problem {
  const codes = all.map(({ code }) => code)
  const meant = record === undefined ? nearest(idOrCode, codes) : undefined
  const detail =
    record === undefined
      ? 'No car park that the live feed counts has this id or code.'
      : 'The live feed does not count this car park.'
  return new Problem('NOT_FOUND', detail, {
    errors: [
      {
        parameter: 'idOrCode',
        value: idOrCode.slice(0, 100),
        detail: 'is not the id or the code of a car park that is counted',
        allowed: codes.length === 0 ? 'none is counted yet' : `one of ${codes.join(', ')}`,
        ...(meant === undefined ? {} : { nearest: meant }),
      },
    ],
  })
}
