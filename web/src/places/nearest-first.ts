import { words } from '../texts/en/words.ts'
import { isLocated, type ListedPlace, type Located } from './kinds.ts'
import { byParish } from './parishes.ts'

const EARTH_METRES = 6_371_009

/** Orders places by distance in a straight line, as the API does, and adds directions. Places without a position come last, by parish. */
export function nearestFirst<T extends ListedPlace>(places: readonly T[], here: Located): readonly T[] {
  const nearest = places
    .filter(isLocated)
    .map(place => ({
      ...place,
      distanceMetres: metresBetween(place, here),
      direction: directionTo(place, here),
    }))
    .sort((one, other) => one.distanceMetres - other.distanceMetres)
  return [...nearest, ...places.filter(place => !isLocated(place)).toSorted(byParish)]
}

const radians = (degrees: number) => (degrees * Math.PI) / 180

/** The word of the compass for the way to a place. On one island the earth is flat enough for this. */
export function directionTo(place: Located, here: Located): string | undefined {
  const east = (place.longitude - here.longitude) * Math.cos(radians(here.latitude))
  const eighths = Math.round(Math.atan2(east, place.latitude - here.latitude) / (Math.PI / 4))
  return words.compass[(eighths + 8) % 8]
}

/** The distance in a straight line, in whole metres as the API has it, by the haversine formula. */
export function metresBetween(one: Located, other: Located): number {
  const half = (from: number, to: number) => Math.sin(radians(to - from) / 2) ** 2
  const chord =
    half(one.latitude, other.latitude) +
    Math.cos(radians(one.latitude)) * Math.cos(radians(other.latitude)) * half(one.longitude, other.longitude)
  return Math.round(2 * EARTH_METRES * Math.asin(Math.sqrt(chord)))
}
