import { absolute } from '../../address.ts'
import type { CarPark } from '../../parking/records.ts'

/** Describes a car park as a schema.org ParkingFacility. */
export function parkingFacility(carPark: CarPark, url: string): object {
  const { id, name, latitude, longitude, notes } = carPark
  const features = {
    'Parking spaces': carPark.spaces,
    'Spaces for disabled people': carPark.disabledSpaces,
    'Spaces for parents with children': carPark.parentChildSpaces,
    'Spaces with electric charging': carPark.electricChargingSpaces,
  }
  return {
    '@context': 'https://schema.org',
    '@type': 'ParkingFacility',
    '@id': absolute(`/v1/carparks/${id}`),
    ...{ name, url },
    ...(notes !== null && { description: notes }),
    ...(latitude !== null &&
      longitude !== null && { geo: { '@type': 'GeoCoordinates', latitude, longitude } }),
    amenityFeature: Object.entries(features).map(([name, value]) => ({
      ...{ '@type': 'LocationFeatureSpecification', name, value },
    })),
  }
}
