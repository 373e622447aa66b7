import { invalidParameters } from '../../http/request/parameters.ts'
import { oncePerSnapshot, type Snapshot } from '../../releases/snapshots/snapshot.ts'
import { chain, type MaybePromise } from '../../values/maybe-promise.ts'
import { NotAllowed, type ValueType } from '../../values/value-type.ts'
import { oneOf } from '../../values/values.ts'
import { registerOf } from './register.ts'
import { FUEL_TYPES } from './schema.ts'

/**
 * The fuel type in the register's spelling. Known ones and all that the register holds are allowed; throws
 * INVALID_PARAMETER for others.
 */
export function knownFuelType(
  fuelType: string | undefined,
  snapshot: Snapshot,
): MaybePromise<string | undefined> {
  if (fuelType === undefined) return undefined
  return chain(typeOf(snapshot), type => spelt(fuelType, type))
}

/** The type of value that a fuel type is, made once per release. */
const typeOf = oncePerSnapshot(snapshot =>
  chain(registerOf(snapshot).count({ by: ['fuelType'], filters: [] }), counts =>
    oneOf([...new Set([...FUEL_TYPES, ...counts.map(([held]) => String(held))])], { ignoreCase: true }),
  ),
)

function spelt(fuelType: string, type: ValueType<string>): string {
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
