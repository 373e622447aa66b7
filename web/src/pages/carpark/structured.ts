import { absolute } from '../../address.ts'
import type { CarPark } from '../../parking/records.ts'
import { carpark as texts } from '../../texts/en/carpark.ts'

/** Describes a car park as a schema.org ParkingFacility. */
export function parkingFacility(carPark: CarPark, url: string): object {
  const { id, name, latitude, longitude, notes } = carPark
  const amenities = {
    [texts.features.spaces]: carPark.spaces,
    [texts.features.disabled]: carPark.disabledSpaces,
    [texts.features.parentChild]: carPark.parentChildSpaces,
    [texts.features.charging]: carPark.electricChargingSpaces,
  }
  return {
    '@context': 'https://schema.org',
    '@type': 'ParkingFacility',
    '@id': absolute(`/v1/carparks/${id}`),
    ...{ name, url },
    ...(notes !== null && { description: notes }),
    ...(latitude !== null &&
      longitude !== null && { geo: { '@type': 'GeoCoordinates', latitude, longitude } }),
    amenityFeature: Object.entries(amenities).map(([name, value]) => ({
      ...{ '@type': 'LocationFeatureSpecification', name, value },
    })),
  }
}
