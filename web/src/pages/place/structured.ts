import type { Site } from '../../../../src/interfaces/web/explorer.ts'
import { isLocated, kindOf, placePath } from '../../places/kinds.ts'
import type { PlaceData } from './load.ts'

/** A place as schema.org describes it. */
export function structuredPlace(data: PlaceData, { baseUrl }: Site): object | undefined {
  if (data.place === null) return undefined
  const { place, facts, notes } = data
  return {
    '@context': 'https://schema.org',
    '@type': kindOf(place.dataset)?.schemaType ?? 'Place',
    '@id': baseUrl + placePath(place),
    url: baseUrl + placePath(place),
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
