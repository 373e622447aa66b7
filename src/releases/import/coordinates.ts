import { isOnIsland } from '../../query/geometry.ts'
import type { StoredRecord } from '../../query/query.ts'
import type { Warn } from './coerce/coerce.ts'

/** Warns of coordinates off the island, which are published unchanged (design 7). Absent coordinates are no warning. */
export function warnOfCoordinates({ latitude, longitude }: StoredRecord, warn: Warn): void {
  const hasLatitude = typeof latitude === 'number'
  const hasLongitude = typeof longitude === 'number'
  if (hasLatitude && hasLongitude) warnOfPlace(latitude, longitude, warn)
  else if (hasLatitude) warn('longitude', null, 'is missing, but there is a latitude')
  else if (hasLongitude) warn('latitude', null, 'is missing, but there is a longitude')
}

function warnOfPlace(latitude: number, longitude: number, warn: Warn): void {
  if (isOnIsland(latitude, longitude)) return
  const value = `${latitude}, ${longitude}`
  if (latitude === 0 && longitude === 0) warn('latitude', value, 'the coordinates are 0, 0')
  else if (isOnIsland(longitude, latitude))
    warn('latitude', value, 'lies off the island; latitude and longitude may be swapped')
  else if (isOnIsland(latitude, -longitude))
    warn('longitude', value, 'lies off the island; a minus sign may be missing')
  else warn('latitude', value, 'lies off the island')
}
