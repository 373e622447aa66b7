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
  readonly code?: string | null
  /** The notes of its publisher. */
  readonly notes?: string | null
}

type Names = (typeof places.kinds)[keyof typeof places.kinds]

/** A dataset of places with its names for people. */
export interface Kind {
  readonly dataset: string
  readonly one: string
  readonly many: string
  /** The message for a number of them. */
  readonly counted: Names['counted']
  /** The type of one at schema.org. */
  readonly schemaType: string
}

/** Every kind of place, in the order of the pages. */
export const KINDS: readonly Kind[] = [
  { dataset: 'toilets', ...places.kinds.toilets, schemaType: 'PublicToilet' },
  { dataset: 'defibrillators', ...places.kinds.defibrillators, schemaType: 'Place' },
  { dataset: 'recycling', ...places.kinds.recycling, schemaType: 'RecyclingCenter' },
  { dataset: 'carparks', ...places.kinds.carparks, schemaType: 'ParkingFacility' },
]

/** The kind of a dataset's places, or undefined for another dataset. */
export const kindOf = (dataset: string): Kind | undefined => KINDS.find(kind => kind.dataset === dataset)

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
