import type { TObject } from 'typebox'
import { ISLAND } from '../island/island.ts'
import type { Box, Point, StoredRecord } from './query.ts'

const EARTH_RADIUS_METRES = 6_371_008.8

/** Whether records of this schema have a position. */
export const hasGeometry = ({ properties }: TObject): boolean =>
  'latitude' in properties && 'longitude' in properties

/** The position of a record; undefined without coordinates. Coordinates off the island are errors, so undefined too. */
export function pointOf({ latitude, longitude }: StoredRecord): Point | undefined {
  if (typeof latitude !== 'number' || typeof longitude !== 'number') return undefined
  return isOnIsland(latitude, longitude) ? { latitude, longitude } : undefined
}

export const isOnIsland = (latitude: number, longitude: number): boolean =>
  isInBox({ latitude, longitude }, ISLAND.bounds)

export const isInBox = ({ latitude, longitude }: Point, { south, north, west, east }: Box): boolean =>
  latitude >= south &&
  latitude <= north &&
  (west <= east ? longitude >= west && longitude <= east : longitude >= west || longitude <= east)

/** West, south, east and north. */
export type Bbox = [west: number, south: number, east: number, north: number]

/** The box around points; undefined if there are no points. */
export function boundsOf(points: readonly Point[]): Bbox | undefined {
  if (points.length === 0) return undefined
  const [longitudes, latitudes] = [points.map(each => each.longitude), points.map(each => each.latitude)]
  return [Math.min(...longitudes), Math.min(...latitudes), Math.max(...longitudes), Math.max(...latitudes)]
}

/** The great-circle distance between two points by the haversine formula, on a sphere of the earth's mean radius. */
export function distanceMetres(one: Point, other: Point): number {
  const radians = Math.PI / 180
  const dLatitude = (other.latitude - one.latitude) * radians
  const dLongitude = (other.longitude - one.longitude) * radians
  const cosines = Math.cos(one.latitude * radians) * Math.cos(other.latitude * radians)
  const a = Math.sin(dLatitude / 2) ** 2 + cosines * Math.sin(dLongitude / 2) ** 2
  return 2 * EARTH_RADIUS_METRES * Math.asin(Math.min(1, Math.sqrt(a)))
}
