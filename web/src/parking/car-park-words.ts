import { counts } from '../texts/en/counts.ts'
import { text } from '../texts/text.ts'
import { ALTERNATIVES } from '../words/lists.ts'
import type { CarPark } from './records.ts'

const TYPES: Readonly<Record<string, string>> = counts.stays
const SURFACES: Readonly<Record<string, string>> = counts.surfaces
const METHODS: Readonly<Record<string, string>> = counts.payments
const SPECIAL = [
  ['disabledSpaces', counts.disabled],
  ['parentChildSpaces', counts.parentChild],
  ['electricChargingSpaces', counts.charging],
] as const

/** How long people may park, or undefined if that is not known. */
export const stayOf = ({ type }: Pick<CarPark, 'type'>): string | undefined => TYPES[type]

/** The building and the surface of the ground, such as `Several storeys, tarmac`. */
export const buildingOf = ({
  multiStorey,
  surfaceType,
}: Pick<CarPark, 'multiStorey' | 'surfaceType'>): string =>
  text(counts.building, {
    storeys: multiStorey ? 'several' : 'one',
    surface: (SURFACES[surfaceType] ?? surfaceType).toLowerCase(),
  })

/** The spaces for some people alone, such as `12 for disabled people`. */
export const specialSpaces = (carPark: Partial<CarPark>): readonly string[] =>
  SPECIAL.flatMap(([field, message]) => {
    const count = carPark[field] ?? 0
    return count > 0 ? [text(message, { count })] : []
  })

/** The ways to pay, such as `phone (code 59821) or paycard`, or undefined. */
export function paymentOf({
  paymentMethods,
  payByPhoneCode,
}: Pick<CarPark, 'paymentMethods' | 'payByPhoneCode'>): string | undefined {
  const ways = paymentMethods.map(method =>
    method === 'PAY_BY_PHONE' && payByPhoneCode !== null
      ? text(counts.phoneWithCode, { code: payByPhoneCode })
      : (METHODS[method] ?? method),
  )
  return ALTERNATIVES.format(ways) || undefined
}
