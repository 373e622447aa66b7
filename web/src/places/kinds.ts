import type { components } from '../../../client/src/schema.ts'
import { places } from '../texts/en/places.ts'

/** A place as `/v1/places` has it. */
export type Place = components['schemas']['Place']

/** A place as lists and pages show it. */
export interface ListedPlace extends Place {
  /** The word of the compass for the way there, if the list starts at the reader's position. */
  readonly direction?: string | undefined
  /** The offers of the place in words, such as facilities or materials. */
  readonly offers?: readonly string[]
  /** The live tracking code of a car park with a counter. */
  readonly code?: string | null | undefined
  /** The notes of its publisher. */
  readonly notes?: string | null
}

/** Every kind of place with its names for people and its type at schema.org, in the order of the pages. */
export const KINDS = [
  { dataset: 'toilets', ...places.kinds.toilets, schemaType: 'PublicToilet' },
  { dataset: 'defibrillators', ...places.kinds.defibrillators, schemaType: 'Place' },
  { dataset: 'recycling', ...places.kinds.recycling, schemaType: 'RecyclingCenter' },
  { dataset: 'carparks', ...places.kinds.carparks, schemaType: 'ParkingFacility' },
]

/** The kind of a dataset's places, or undefined for another dataset. */
export const kindOf = (dataset: string) => KINDS.find(kind => kind.dataset === dataset)

/** A record of one of the datasets of places. */
export interface PlaceFields extends Pick<Place, 'id' | 'latitude' | 'longitude'> {
  readonly name?: string
  readonly location?: string
  readonly parish?: string | null
  readonly notes?: string | null
  readonly liveTrackingCode?: string | null
}

/** Makes a place of a record. */
export function toPlace(dataset: string, record: PlaceFields): ListedPlace {
  const { id, name, location, parish = null, latitude, longitude, notes = null } = record
  return {
    ...{ dataset, id, name: name ?? location ?? id, parish, latitude, longitude, notes },
    ...{ path: `/v1/${dataset}/${id}`, code: record.liveTrackingCode },
  }
}

/** The path of a place's page. A car park is at its code, because people know the code from its counter. */
export const placePath = ({ dataset, id, code }: Pick<ListedPlace, 'dataset' | 'id' | 'code'>): string =>
  dataset === 'carparks'
    ? `/parking/${encodeURIComponent(code ?? id)}`
    : `/places/${dataset}/${encodeURIComponent(id)}`

/** The key of a place in a link to the map. */
export const placeKey = ({ dataset, id }: Pick<Place, 'dataset' | 'id'>): string => `${dataset}/${id}`

/** A place without its count, which is too old to show. */
export const withoutCount = <T extends Place>(place: T): T =>
  'freeSpaces' in place ? { ...place, freeSpaces: null, open: null, quality: null, observedAt: null } : place

/** Something that has a position. */
export interface Located {
  readonly latitude: number
  readonly longitude: number
}

/** Whether a map can show something. Null and 0,0 are not positions. */
export const isLocated = <T extends { latitude: number | null; longitude: number | null }>(
  place: T,
): place is T & Located =>
  place.latitude !== null && place.longitude !== null && !(place.latitude === 0 && place.longitude === 0)

/** The position in a text such as `49.18,-2.1`, in degrees, or null. */
export function positionOf(near: string): Located | null {
  const [latitude = Number.NaN, longitude = Number.NaN, ...more] = near.split(',').map(Number)
  const position = { latitude, longitude }
  const isOnEarth = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180
  const isPosition = more.length === 0 && isOnEarth && isLocated(position)
  return isPosition ? position : null
}
