import { isLocated, type Located, type Place } from '../../places/kinds.ts'
import { byParish } from '../../places/parishes.ts'

const EARTH_METRES = 6_371_009

/** Orders places by their distance in a straight line, as the API does. Places without a position come last, by parish. */
export function nearestFirst<T extends Place>(places: readonly T[], here: Located): readonly T[] {
  const nearest = places
    .filter(isLocated)
    .map(place => ({ ...place, distanceMetres: Math.round(metresBetween(place, here)) }))
    .sort((one, other) => one.distanceMetres - other.distanceMetres)
  return [...nearest, ...places.filter(place => !isLocated(place)).toSorted(byParish)]
}

/** The haversine formula. */
function metresBetween(one: Located, other: Located): number {
  const radians = (degrees: number) => (degrees * Math.PI) / 180
  const half = (from: number, to: number) => Math.sin(radians(to - from) / 2) ** 2
  const chord =
    half(one.latitude, other.latitude) +
    Math.cos(radians(one.latitude)) * Math.cos(radians(other.latitude)) * half(one.longitude, other.longitude)
  return 2 * EARTH_METRES * Math.asin(Math.sqrt(chord))
}
