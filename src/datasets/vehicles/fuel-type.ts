import { invalidParameters } from '../../http/parameters.ts'
import type { Snapshot } from '../../releases/snapshot.ts'
import { NotAllowed } from '../../values/value-type.ts'
import { oneOf } from '../../values/values.ts'
import { fuelTypesOf } from './register.ts'
import { FUEL_TYPES } from './schema.ts'

/**
 * The fuel type in the register's spelling. Known ones and all that the register holds are allowed; throws
 * INVALID_PARAMETER for others.
 */
export async function knownFuelType(
  fuelType: string | undefined,
  snapshot: Snapshot,
): Promise<string | undefined> {
  if (fuelType === undefined) return undefined
  const type = oneOf([...new Set([...FUEL_TYPES, ...(await fuelTypesOf(snapshot))])], { ignoreCase: true })
  try {
    return type.parse(fuelType)
  } catch (error) {
    if (!(error instanceof NotAllowed)) throw error
    const { message: detail, nearest } = error
    const hint = nearest === undefined ? {} : { nearest }
    throw invalidParameters([
      { parameter: 'fuelType', value: fuelType, detail, allowed: type.allowed, ...hint },
    ])
  }
}
