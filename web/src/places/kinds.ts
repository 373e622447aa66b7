import type { components } from '../../../client/src/schema.ts'

/** A place as `/v1/places` has it. */
export type Place = components['schemas']['Place']

/** A dataset of places, and what people call one of them. */
export interface Kind {
  readonly dataset: string
  readonly one: string
  readonly many: string
  /** What schema.org calls one. */
  readonly schemaType: string
}

/** Every kind of place, in the order in which pages list them. */
export const KINDS: readonly Kind[] = [
  { dataset: 'toilets', one: 'Public toilet', many: 'Toilets', schemaType: 'PublicToilet' },
  { dataset: 'defibrillators', one: 'Defibrillator', many: 'Defibrillators', schemaType: 'Place' },
  { dataset: 'recycling', one: 'Recycling centre', many: 'Recycling', schemaType: 'RecyclingCenter' },
  { dataset: 'carparks', one: 'Car park', many: 'Car parks', schemaType: 'ParkingFacility' },
]

/** The kind of a dataset's places; undefined where it has none. */
export const kindOf = (dataset: string): Kind | undefined => KINDS.find(kind => kind.dataset === dataset)

/** The path of a place's page. */
export const placePath = ({ dataset, id }: Pick<Place, 'dataset' | 'id'>): string =>
  `/places/${dataset}/${encodeURIComponent(id)}`

/** What a link to a place on the map names it by. */
export const placeKey = ({ dataset, id }: Pick<Place, 'dataset' | 'id'>): string => `${dataset}/${id}`

/** Something that has a position. */
export interface Located {
  readonly latitude: number
  readonly longitude: number
}

/** Whether a map can show something: null and 0,0 are no position. */
export const isLocated = <T extends { latitude: number | null; longitude: number | null }>(
  place: T,
): place is T & Located =>
  place.latitude !== null && place.longitude !== null && !(place.latitude === 0 && place.longitude === 0)
