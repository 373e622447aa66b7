import { absolute } from '../../address.ts'
import { isLocated, kindOf, placePath } from '../../places/kinds.ts'
import { carpark } from '../../texts/en/carpark.ts'
import type { PlaceData } from './load.ts'

/** A place as schema.org describes it. */
export function structuredPlace(data: PlaceData): object | undefined {
  if (data.place === null) return undefined
  const { place, facts, carPark } = data
  const { name, notes, parish, latitude, longitude } = place
  const url = absolute(placePath(place))
  const amenities = carPark && {
    [carpark.features.spaces]: carPark.spaces,
    [carpark.features.disabled]: carPark.disabledSpaces,
    [carpark.features.parentChild]: carPark.parentChildSpaces,
    [carpark.features.charging]: carPark.electricChargingSpaces,
  }
  return {
    '@context': 'https://schema.org',
    '@type': kindOf(place.dataset)?.schemaType ?? 'Place',
    '@id': url,
    ...{ url, name },
    ...(notes && { description: notes }),
    ...(parish !== null && { address: { '@type': 'PostalAddress', addressLocality: parish } }),
    ...(isLocated(place) && { geo: { '@type': 'GeoCoordinates', latitude, longitude } }),
    additionalProperty: facts.map(([name, value]) => ({ '@type': 'PropertyValue', name, value })),
    ...(amenities && {
      amenityFeature: Object.entries(amenities).map(([name, value]) => ({
        ...{ '@type': 'LocationFeatureSpecification', name, value },
      })),
    }),
  }
}
