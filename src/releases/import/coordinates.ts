import type { StoredRecord } from '../../query/query.ts'
import type { Warn } from './coerce/coerce.ts'

/** Round the island of Jersey and its reefs, Les Minquiers to Les Écréhous, with some miles of sea. */
const ISLAND = { south: 48.9, north: 49.35, west: -2.75, east: -1.85 }

/** Notes coordinates that put a place where it cannot be. They are published as given (design 7); none at all is no fault. */
export function noteCoordinates({ latitude, longitude }: StoredRecord, warn: Warn): void {
  const hasLatitude = typeof latitude === 'number'
  const hasLongitude = typeof longitude === 'number'
  if (hasLatitude && hasLongitude) notePlace(latitude, longitude, warn)
  else if (hasLatitude) warn('longitude', null, 'is missing, but there is a latitude')
  else if (hasLongitude) warn('latitude', null, 'is missing, but there is a longitude')
}

function notePlace(latitude: number, longitude: number, warn: Warn): void {
  if (onIsland(latitude, longitude)) return
  const value = `${latitude}, ${longitude}`
  if (latitude === 0 && longitude === 0) warn('latitude', value, 'the coordinates are 0, 0')
  else if (onIsland(longitude, latitude))
    warn('latitude', value, 'lies off the island; latitude and longitude may be swapped')
  else if (onIsland(latitude, -longitude))
    warn('longitude', value, 'lies off the island; a minus sign may be missing')
  else warn('latitude', value, 'lies off the island')
}

const onIsland = (latitude: number, longitude: number) =>
  latitude >= ISLAND.south && latitude <= ISLAND.north && longitude >= ISLAND.west && longitude <= ISLAND.east
