import { absolute } from '../../address.ts'
import { isLocated, kindOf, placePath } from '../../places/kinds.ts'
import type { PlaceData } from './load.ts'

/** A place as schema.org describes it. */
export function structuredPlace(data: PlaceData): object | undefined {
  if (data.place === null) return undefined
  const { place, facts, notes } = data
  return {
    '@context': 'https://schema.org',
    '@type': kindOf(place.dataset)?.schemaType ?? 'Place',
    '@id': absolute(placePath(place)),
    url: absolute(placePath(place)),
    name: place.name,
    ...(notes !== null && { description: notes }),
    ...(place.parish !== null && {
      address: { '@type': 'PostalAddress', addressLocality: place.parish },
    }),
    ...(isLocated(place) && {
      geo: { '@type': 'GeoCoordinates', latitude: place.latitude, longitude: place.longitude },
    }),
    additionalProperty: facts.map(([name, value]) => ({ '@type': 'PropertyValue', name, value })),
  }
}
