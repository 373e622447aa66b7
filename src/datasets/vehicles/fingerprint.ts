import { hash } from 'node:crypto'
import type { Vehicle } from './schema.ts'

type Fingerprinted = Pick<Vehicle, 'make' | 'fuelType' | 'firstRegisteredAt' | 'firstRegisteredInJerseyAt'> &
  Partial<Pick<Vehicle, 'cylinderCapacity' | 'co2Emissions'>>

/**
 * The fingerprint that clients of this register know: SHA-256 of `make-FUELTYPE-DD/MM/YYYY-DD/MM/YYYY-cc-co2`. The date of
 * first registration comes before the date of registration on the island. An absent value is written `NaN`.
 */
export function fingerprint(vehicle: Fingerprinted): string {
  const parts = [
    vehicle.make,
    vehicle.fuelType,
    day(vehicle.firstRegisteredAt),
    day(vehicle.firstRegisteredInJerseyAt),
    vehicle.cylinderCapacity ?? 'NaN',
    vehicle.co2Emissions ?? 'NaN',
  ]
  return hash('sha256', parts.join('-'), 'hex')
}

function day(timestamp: string | null): string {
  if (timestamp === null) return 'NaN'
  return `${timestamp.slice(8, 10)}/${timestamp.slice(5, 7)}/${timestamp.slice(0, 4)}`
}
